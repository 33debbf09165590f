/** Each error of a pager says why it stops, and what to do if there is something. */
import { expect, test } from "vitest"
import * as E from "../src/TransferPagerError.ts"

test.each<readonly [string, () => E.TransferPagerError]>([
  [
    'The service broke its contract: page 7 ends with a cursor it has given before ("abc"), so its pages would never end.',
    () => new E.CursorCycle({ cursor: "abc", page: 7 }),
  ],
  [
    "The service broke its contract: page 7 has has_next_page true and no end_cursor, so the transfers after it are out of reach.",
    () => new E.MissingCursor({ page: 7 }),
  ],
  [
    "The service sent more than 100 empty pages in a row, each saying that another follows. Raise emptyPageBudget if that is how it works.",
    () => new E.EmptyPages({ budget: 100 }),
  ],
  [
    'The service broke its contract: it sent the transfer "tr_\\n", which was not asked for (its time is outside).',
    () => new E.OutsideFilter({ id: "tr_\n", reason: "its time is outside" }),
  ],
  [
    'The service broke its contract: it sent the transfer "a", which was not asked for (its time is outside), and so is every other of more than 100 pages in a row.',
    () => new E.OutsideFilter({ id: "a", reason: "its time is outside", pages: 100 }),
  ],
  [
    'The service broke its contract: it sent the transfer "a" (its time is outside), and left it out when the second from 2024-09-01T00:00:00Z was asked for. It compares other times than it shows, or leaves out transfers, so some may be missing. Report it to the service, and read everything again once it is right.',
    () => new E.OutsideFilter({ id: "a", reason: "its time is outside", missingFrom: ["2024-09-01T00:00:00Z"] }),
  ],
  [
    'The service broke its contract: it sent more than 100 pages in a row without a transfer that it had not sent before and that was asked for, the last one from "a" on, so its pages would never end.',
    () => new E.RepeatedPages({ pages: 100, id: "a" }),
  ],
  [
    'The service broke its contract: it sent the transfer "a" at two creation times, 2024-09-01T00:00:00Z and another one, so it would count twice. Read everything again from the start. If it happens again, report it to the service.',
    () => new E.MovedTransfer({ id: "a", created_at: "2024-09-01T00:00:00Z" }),
  ],
  [
    "The checkpoint belongs to another query: it is of one, and this is two. Resume with the query it was made for, or start without it.",
    () => new E.CheckpointMismatch({ checkpoint: "one", query: "two" }),
  ],
  [
    "The service rejects a cursor that it gave out, and reading again from the start brought no further: its cursors expire too soon. Why.",
    () => new E.CursorExpired({ reason: "Why." }),
  ],
  [
    "More than 9 transfers were created in the second from 2024-09-01T00:00:00Z. A scan holds the transfers of a second in memory until it has them all. Read that second page after page, and scan what comes before and after it.",
    () => new E.SecondTooLarge({ second: "2024-09-01T00:00:00Z", most: 9 }),
  ],
  [
    "limit cannot be 0: give 1 to 20.",
    () => new E.InvalidPagerOption({ option: "limit", given: "0", accepted: "1 to 20" }),
  ],
])("says: %s", (message, make) => {
  expect(make().message).toBe(message)
})

test("quotes a cursor of 96 characters, and the start of a longer one", () => {
  const quoted = (length: number) =>
    /[(]"(.*)"[)]/.exec(new E.CursorCycle({ cursor: "c".repeat(length), page: 1 }).message)
  expect(quoted(96)?.[1]).toBe("c".repeat(96))
  expect(quoted(97)?.[1]).toBe(`${"c".repeat(96)}…`)
})
