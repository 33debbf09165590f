import { expect, test } from "vitest"
import { FileError, reasonOf, reasonToMake } from "../src/FileError.ts"

const withCode = (code: string) => Object.assign(new Error("raw"), { code })

test.each<[string, unknown, string]>([
  ["a known code in words", withCode("ENOSPC"), "the disk is full"],
  ["the code of its cause", new Error("open failed", { cause: withCode("EACCES") }), "permission denied"],
  ["the code of an object", { code: "ENOENT" }, "no such file or folder"],
  ["the message of an unknown code", withCode("EWHAT"), "raw"],
  ["the message of an error without a code", new Error("plain"), "plain"],
  ["its own message if its cause is no error", new Error("own", { cause: "text" }), "own"],
  ["null", null, "null"],
  ["undefined", undefined, "undefined"],
  ["a text", "text", "text"],
])("the reason of an error is %s", (_, error, reason) => {
  expect(reasonOf(error)).toBe(reason)
})

test("what is missing for a new file is its folder, and any other reason is as it was", () => {
  expect(reasonToMake(withCode("ENOENT"), "out")).toBe("the folder out does not exist. Create it, or choose another")
  expect(reasonToMake(withCode("ENOSPC"), "out")).toBe("the disk is full")
})

test.each(["postgres://me:s3cret@db.example/transfers", "/home/me/postgresql:/me:s3cret@db.example/x.csv"])(
  "%s in place of a path is cut, because it may hold a password",
  (path) => {
    const error = new FileError({ path, reason: reasonToMake(withCode("ENOENT"), path) })
    expect(`${JSON.stringify(error)} ${error.message}`).not.toMatch(/s3cret|db\.example/)
    expect(error.message).toContain("postgres://…: ")
  },
)
