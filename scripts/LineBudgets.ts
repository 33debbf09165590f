/**
 * How many lines each part may have. An app stays thin: what grows there is a concept that belongs into a package. A change
 * that adds a concept to a package raises its budget here, with the reason in the commit.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Repository from "./Repository.ts"

/** The most lines of the sources of each part. */
export const budgets: Readonly<Record<string, number>> = {
  // Raised by 10 for what a source lacks of a transfer that it has found.
  // Raised by 10 for values of a template that stay within their line.
  // By 5 for how deep the sections of a template are.
  // By 5 for help on a full disk.
  // Raised by 10 for how an export without its manifest was written.
  // By 40 for what is said to scripts of a source, and files of users that are kept.
  // By 15 for dimensions that are named twice, and keys that are asked for all time.
  // By 5 for what a source lacks of a key that search asks for.
  // By 10 for SQL over a mirror, which says itself what is open.
  // By 30 for where a source ends, said to scripts, and the times that diff compares with the service.
  "apps/cli": 8585,
  // Raised by 65 for help in groups, with examples.
  // By 10 for the second signal, which ends it at once.
  // By 5 for what a recording has at its end.
  // By 5 for addresses of collectors that cannot be used.
  // By 10 for what is escaped on standard error.
  "apps/fake-server": 3295,
  // Raised by 160 for what an audit is given back: signed, of known codes, and each part of a split once.
  // By 15 for errors of files that repeat none of their text, by 50 for the capabilities that a result of several
  // invocations rests on, by 20 for look-ups of which several pages are read, and by 10 for transfers at two creation times.
  // By 10 for headers of CSV that arrive in parts.
  "apps/validation-lambda": 3670,
  // Raised by 300 for look-ups, checks of what others made, bundles without their ledgers, and changes that are made again;
  // by 100 for who signed the previous close.
  // By 180 for the rows that an earlier ledger had, whose open items are and of which period, what was still open or came late, and what is gone.
  // By 25 for rows that books before the last had, and more days of grace than those.
  // By 5 for ledgers with the same bytes.
  // By 20 for look-ups that find more than memory holds.
  // By 105 for the payouts that rows of earlier books name.
  // By 25 for what earlier books did not use, as it is now.
  "packages/books": 2370,
  // By 10 for names that a certificate has twice.
  "packages/conformance": 2510,
  // Raised by 250: the scheduler of a scan became four concepts with a file each; amounts have units.
  // By 50 for times that mean the same later; by 60 for an example on each export of the pager.
  // By 100 for the line and column of a mistake in a JSON file, and by 20 for the bounds of a fee schedule.
  // By 180 for secrets in texts, which databases echo, too, and by 40 for names that an object of JSON has twice.
  // By 135 for the bounds of a JSON text, and the one reader of such texts and of those with a schema.
  // By 45 for bytes that come in parts, and by 55 for transfers that a scan holds by their size.
  // By 35 for the text of bytes that are UTF-8.
  // By 15 for a coverage that ends now.
  // By 10 for columns that messages name without their text.
  // By 150 for settled counterparts and the rows that follow them from one set of books to the next.
  // By 300 for thousands of secrets in one pass, escapes that are read without a pattern, and long texts of errors.
  // By 90 for numbers that keep their digits, and rows that earlier books had.
  // By 10 for the first day of a period.
  // By 20 for claims of a clock that was ahead, by 315 for transfers that came and were not delivered.
  // By 5 for what a mirror cannot vouch for.
  // By 20 for the seconds of strays, which the mirror had.
  // By 140 for what checkpoints and their parts keep of transfers that came, and how the service is asked for them.
  // By 105 for payouts of several months.
  // By 70 for what comes when a scan asks whether a transfer has vanished.
  // By 35 for the digits of proposals, and messages of several lines that are escaped.
  // By 15 for the statuses that make a transfer final, which files of open ones keep.
  // By 30 for days before the year 0 and after 9999, and those of many instants.
  // By 5 for keys that a service has decoded, and by 5 for those that are quoted.
  // By 55 for statuses that a source took as final, and answers that may be stale by them.
  "packages/domain": 12155,
  // Raised by 320 for an example on each export; by 20 for rules and filters of requests in files of their own.
  // By 20 for recordings of keys that are hidden, by 15 for the page of each request.
  // By 40 for the number of values of a body, and names that a rule has twice.
  // By 45 for the sum of what faults insert.
  // By 10 for a recording that was moved.
  // By 25 for what of a cookie is a key, and connections that are in a TLS handshake.
  // By 15 for a recording that is searched by lines.
  // By 110 for a recording that has its name once it has been searched.
  // By 15 for keys that are sent in other forms than the contract's.
  // By 40 for a recorder that signals end while it searches, and a disk that is full.
  // By 130 for how much faults add to a response, and how many of them rules have.
  // By 20 for keys of requests that a recorder rejects, or that have no response.
  // By 15 for the headers that a recording may have.
  // By 15 for a disk that is full when a recording begins, and what is escaped on standard error.
  // By 15 for parameters of Digest, and cookies that are escaped.
  // By 20 for cookies that are quoted, and JSON that would be none without a key.
  "packages/fake": 5615,
  // Raised by 300 for data sets: month files of Parquet and their manifest; by 100 for what bounds hostile files; by 100
  // for what an interrupted export may go on with, and the columns of a file that is verified; by 100 for spools of cells,
  // and CSV that it quotes itself.
  // By 50 for what a reconciliation says in US dollars, and by 100 for what a Parquet file announces.
  // By 40 for what is damaged in a zip file, and by 40 for bytes that are no text.
  // By 100 for what spreadsheets make of amounts and keys, passwords in paths, names twice, and who may read a secret.
  // By 5 for the number of values of transfers.
  // By 660 for statements that lack what they say they have, and workbooks that say more than they hold.
  // By 220 for the numbers of statements, sums of MT940, and rows that a workbook hides.
  // By 230 for outputs that would replace what somebody needs, and ledgers that change while they are read.
  // By 10 for whose the spool is that an export resumes.
  // By 150 for the shape of a footer of Parquet, whose row groups are read one at a time.
  // By 225 for the pages of Parquet, which it unpacks itself: the library never ends with some.
  // By 15 for amounts that are missing in CSV and Parquet.
  // By 15 for the units of ISO 4217, in which banks count.
  // By 25 for whose transfers a data set has.
  // By 50 for statements that are there twice, the nesting of BAI2, and what a confirmed batch explains.
  // By 145 for comments of OFX, dates that show nothing of others, totals that a balance proves to be bookings, and whose
  // a file is.
  // By 15 for a finished export that was changed since; by 30 for the longest name of an output.
  // By 40 for ledgers whose times are in UTC, by 20 for keys that look like numbers, and by 30 for statements without an
  // account or a balance.
  // By 215 for amounts without a marker, late rows, empty texts of CSV, rows that cancel, transactions and reports that are there twice, and data sets of another history.
  // By 10 for the columns of numbers, which two apps looked for.
  // By 50 for the years of days of booking in MT940, and field 86 in a file of its own.
  // By 45 for manifests of a clock that was ahead, pipes in the place of outputs, months of a data set as a source, and
  // statements in UTF-16.
  // By 75 for batches that contradict the transactions beside them, and amounts in the currency of a payment.
  // By 25 for supplementary data of statements, which is ignored.
  // By 40 for reports of BAI2 that are there again.
  // By 70 for how CSV without a manifest was written, values that look alike, and files with the names of locks and spools.
  // By 135 for times of 24:00 and those that no clock shows, references that are several, and the ledger balances of BAI2.
  // By 10 for the turn that others get between batches.
  // By 25 for decimals of XML Schema and the dates of East Asian spreadsheets.
  // By 65 for names that a line has twice, and files with transfers of which they claim nothing.
  // By 20 for the statuses that an export took as final.
  "packages/files": 12755,
  // Raised by 180 for keys in UTF-16 or in compressed data, and for tunnels through proxies.
  // By 90 for servers with a bound on their connections, which MCP had.
  // By 40 for which connection goes if there are too many.
  // By 50 for connections that wait for an answer of another.
  "packages/http-api": 1030,
  // Raised by 700 for verdicts, responses on demand, and an example on each export of the Promise client.
  // By 35 for addresses of collectors, and keys in the host of a redirect.
  // By 10 for the external_ids of a page.
  "packages/http-client": 3845,
  "packages/in-memory": 2500,
  // Raised by 500 for the schema of every result, a query and a reconciliation; by 100 for what answers tell of masked fields,
  // and the number of sessions.
  // By 10 for the length of a batch.
  // By 15 for clients that take no answers.
  // By 45 for connections whose clients read nothing.
  // By 100 for the places of calls that wait.
  // By 90 for the number of values of a message, and answers to wrong arguments that are short.
  // By 75 for which session ends for another.
  // By 20 for keys that very many transfers have.
  // By 15 for turns between batches, lists without repeats, and keys that are asked for all time.
  // By 60 for what an answer has no room for and how to get it, and large calls one at a time.
  // By 10 for statuses that a source took as final.
  "packages/mcp": 2350,
  // Raised by 1,400 for how late transfers appear, reading old history again, months for warehouses, its driver kept inside,
  // and the attempts of a sync.
  // By 150 for how much of a load is done: its first day, and what is left by it.
  // By 150 for errors that name an edited row, and by 130 for the schema of PostgreSQL that names are looked up in,
  // and the index of fees.
  // By 240 for what hostile and silent databases answer.
  // By 110 for the command that runs for an event, which the app had, and the end of what it has started.
  // By 60 for how large the result of a query may be, and how long one outlives its client.
  // By 10 for what a database says to the queue.
  // By 180 for where a query is wrong, and the names that are near what it asks.
  // By 15 for the addresses of files.
  // By 15 for transfers that wait, by 35 for what a command inherits, and by 45 for statements that are no query.
  // By 15 for how large a result of PostgreSQL may be.
  // By 30 for indexes that are made after a load, and for leases whose holder has died.
  // By 75 for values of a query as PostgreSQL writes them, and the end of its statement.
  // By 45 for what an edited state, clock or lease says, why a database has no place for a mirror, and bodies that are too long.
  // By 140 for whose the files are that SQLite opens, before and after it has opened them.
  // By 50 for what the clock said when a run began, beside the instants of the history; by 10 for names that are addresses; by 60 for files that change while they are read without locks.
  // By 10 for messages of PostgreSQL that are too long.
  // By 65 for journals that wait to be undone, and ids that look like escapes.
  // By 60 for what had vanished and what had changed as of an instant, and ids that are too long.
  // By 165 for the delivery of events and the answers of queries, which the app had.
  // By 25 for events of a transfer that stay together when its creation time moves; by 135 for seconds about which the service contradicted itself.
  // By 60 for what a clock that was ahead cannot have read, and the clock of the reading of old history.
  // By 50 for windows that keep what came too early, and a load that starts over.
  // By 60 for what comes when the first day is looked for.
  // By 50 for files beside a mirror that are somebody's, which SQLite would remove.
  // By 55 for what is measured of a sync, which the command had.
  // By 150 for the statuses by which a mirror says what is open, and a load that begins with nothing before it.
  // By 15 for the parts of windows that workers divide while another load begins.
  "packages/mirror": 8985,
  // Raised by 600 for the tables of a reconciliation on a terminal, tables that end early, and what breaks are worth on pages.
  // By 50 for certificates on a terminal, and command lines that are folded.
  // By 110 for the table of a summary, which the app had, its narrow form, and lists that are folded on a phone.
  // By 10 for breaks with a value in dollars, which come first among the largest.
  // By 50 for rows of two lines on pages, and how many items are open by age.
  // By 30 for the parts of a table, which end early together.
  // By 70 for the table of an audit, which the app had.
  // By 60 for the help page of a program, which the app had.
  // By 95 for what a terminal shows of long totals, and a sheet of open items by age.
  // By 35 for the pager, which the app had.
  // By 5 for statements that are missing, and rows that a workbook hides.
  // By 50 for the end of a program while a thread waits, which both apps had.
  // By 5 for transfers that are gone, by 15 for what to do about a service that contradicts itself.
  // By 40 for the zone of its days and months, and ledgers that are there again.
  // By 10 for the restriction of a source.
  // By 35 for files of open transfers, which no later age fits.
  // By 10 for where a source ends, said beside its restriction.
  // By 10 for how a source is read that took as final what is open.
  "packages/report": 4525,
}

/** A part, its lines, and the most that it may have. */
export interface Part {
  readonly part: string
  readonly lines: number
  readonly budget: number | undefined
}

/** The lines of the files of all parts. `read` returns the text of a file. */
export const measure = (files: ReadonlyArray<string>, read: (file: string) => string): ReadonlyArray<Part> => {
  const counts = new Map<string, number>()
  for (const file of files) {
    const [, part] = /^((?:apps|packages)\/[^/]+)\/src\/.*\.tsx?$/.exec(file) ?? []
    if (part !== undefined) counts.set(part, (counts.get(part) ?? 0) + (read(file).match(/\n/g)?.length ?? 0))
  }
  return [...counts]
    .map(([part, lines]) => ({ part, lines, budget: budgets[part] }))
    .sort((a, b) => (a.part < b.part ? -1 : 1))
}

/** The parts of this repository. */
export const here = (): ReadonlyArray<Part> =>
  measure(Repository.files(Repository.root), (file) => readFileSync(join(Repository.root, file), "utf8"))
