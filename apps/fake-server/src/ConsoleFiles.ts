/** The files of the console page: beside the built program, or else bundled from their sources. */
import * as fs from "node:fs/promises"
import type { ConsoleFiles } from "@transferkit/fake/FakeOptions"

/** Defined by the build, which thereby leaves the bundler out. */
declare const BUILT: true | undefined

let loading: Promise<ConsoleFiles> | undefined

/** The files; they are bundled only once. */
export const load = (): Promise<ConsoleFiles> => (loading ??= make())

const make = async (): Promise<ConsoleFiles> => {
  if (typeof BUILT === "undefined") {
    const ConsoleBundle = await import("../scripts/ConsoleBundle.ts")
    return (await ConsoleBundle.make()).files
  }
  return read(new URL("./console/", import.meta.url))
}

const read = async (folder: URL): Promise<ConsoleFiles> => {
  const file = (name: keyof ConsoleFiles) => fs.readFile(new URL(name, folder))
  return {
    "console.html": await file("console.html"),
    "console.css": await file("console.css"),
    "console.js": await file("console.js"),
    "favicon.svg": await file("favicon.svg"),
  }
}
