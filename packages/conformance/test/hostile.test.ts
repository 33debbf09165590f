/**
 * Each misbehaviour breaks the laws that it should, and no other; none crashes or hangs a certification. The results are a
 * page of the docs (pnpm generate screens).
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Certificate } from "@transferkit/conformance/certificate/Certificate"
import * as Certify from "@transferkit/conformance/certificate/Certify"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import type { Rule } from "@transferkit/fake/FaultRule"
import { Recorder } from "@transferkit/fake/Recorder"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { beforeAll, expect, test } from "vitest"
import * as Certified from "./Certified.ts"
import { dialects } from "./Dialects.ts"
import { breaches, misbehaviours, otherBreaches } from "./Misbehaviours.ts"
import * as OtherService from "./OtherService.ts"

const certificates = new Map<string, Certificate>()

/** Of what a recorder took while the fake was certified. */
const ofRecording = async (): Promise<Certificate> => {
  const folder = await mkdtemp(join(tmpdir(), "certificate-"))
  const out = join(folder, "recording.ndjson")
  await using fake = await startFakeServer({ transfers: 300 })
  await Effect.runPromise(
    Effect.flatMap(Recorder, ({ url }) => Effect.promise(() => Certified.ofUrl(url))).pipe(
      Effect.provide(Recorder.layer({ target: fake.url, out })),
    ),
  )
  const certificate = await Certified.ofFake({ transfers: 0, replayFile: out })
  await rm(folder, { recursive: true })
  return certificate
}

const ofOther = async (options: Partial<OtherService.Options>): Promise<Certificate> => {
  await using other = await OtherService.start({ data: OtherService.data, ...options })
  return await Certified.ofUrl(other.url)
}

const otherFaults = Struct.keys(otherBreaches)

/** Only those that never end are not waited for. */
const limitOf = (rules: ReadonlyArray<Rule>): number =>
  rules.some(({ faults }) => faults.some(({ fault }) => fault === "no_reply" || fault === "drip")) ? 300 : 10_000

const subjects: ReadonlyArray<readonly [what: string, certify: () => Promise<Certificate>]> = [
  ...dialects.map(
    ([what, options]) => [`The fake ${what}`, () => Certified.ofFake({ transfers: 300, ...options })] as const,
  ),
  ["A recording of the fake", ofRecording],
  ["A service of another maker", () => ofOther({})],
  ["The same, with bounds that are a second off", () => ofOther({ offBy: 1 })],
  ["The same, with bounds that count to the second", () => ofOther({ isCoarse: true })],
  ...otherFaults.map((fault) => [`The same, which ${fault}`, () => ofOther({ fault })] as const),
  ...misbehaviours.map(
    ([what, faults]) =>
      [
        `A service that ${what}`,
        () => Certified.ofFake({ transfers: 300, faults }, { timeout: limitOf(faults) }),
      ] as const,
  ),
]

beforeAll(async () => {
  const certified = await Effect.runPromise(
    Effect.forEach(subjects, ([what, certify]) => Effect.promise(async () => [what, await certify()] as const), {
      concurrency: 8,
    }),
  )
  for (const [what, certificate] of certified) certificates.set(what, certificate)
}, 60_000)

const brokenBy = (what: string): ReadonlyArray<string> => {
  const certificate = certificates.get(what)
  expect(certificate).toBeDefined()
  return certificate === undefined ? [] : Certified.withVerdict(certificate, "broken")
}

test.each(misbehaviours)("a service that %s breaks the laws that it should", (what) => {
  expect(brokenBy(`A service that ${what}`).toSorted()).toEqual(breaches[what]?.toSorted())
})

test.each(otherFaults)("a service of another maker that %s breaks the laws that it should", (fault) => {
  expect(brokenBy(`The same, which ${fault}`).toSorted()).toEqual([...otherBreaches[fault], "limit-above"].toSorted())
})

test("those that break no law keep the contract, or change what a certification cannot see", () => {
  expect(Object.entries(breaches).flatMap(([what, laws]) => (laws.length === 0 ? [what] : []))).toEqual([
    "limits three requests with Retry-After",
    "sends blanks after the JSON",
    "sends a status that is new",
    "sends a field that is new",
    "responds slowly, but in time",
    "inserts transfers between pages",
  ])
  expect(certificates.get("A service that sends a field that is new")?.behaviour.unknown_fields).toEqual([
    "/results/*/colour",
  ])
  expect(certificates.get("A service that limits three requests with Retry-After")?.behaviour).toHaveProperty(
    "rate_limit",
  )
})

test("a recording is certified as the service that it was taken from", () => {
  const [fake, recording] = [
    certificates.get("The fake with its own dialect"),
    certificates.get("A recording of the fake"),
  ]
  expect(recording?.behaviour).toEqual(fake?.behaviour)
  expect(recording?.laws).toEqual(fake?.laws)
})

test("every law is broken by some service, except the one that is never decidable", () => {
  const broken = new Set(subjects.flatMap(([what]) => brokenBy(what)))
  const never = Certify.laws.map(({ id }) => id).filter((id) => !broken.has(id))
  expect(never).toEqual(["change-while-paging"])
})

test("the page of the docs holds the results", async () => {
  const cell = (texts: ReadonlyArray<string>) =>
    texts.length === 0 ? "none" : texts.map((text) => `\`${text}\``).join(", ")
  const rows = subjects.map(([what]) => {
    const certificate = certificates.get(what)
    const counts = (verdict: string) =>
      certificate === undefined ? 0 : Certified.withVerdict(certificate, verdict).length
    return `| ${what} | ${counts("kept")} | ${cell(brokenBy(what))} | ${counts("not decidable")} |`
  })
  const page = [
    "# What certificates say",
    "",
    "This page shows what [`transfers certify`](guides/certify.md) finds in services whose behaviour is known. A test fills it, and fails if a law is broken that should be kept, or the other way round.",
    "",
    `| service | laws kept | laws broken | not decidable |`,
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    "Where no law is broken, the service keeps the contract in its own way: times and fields that are new are part of the behaviour, and a service may be slow. A client that only reads cannot decide whether pages stay whole while transfers change.",
    "",
    "## The laws",
    "",
    "| law | meaning |",
    "| --- | --- |",
    ...Certify.laws.map(({ id, meaning }) => `| \`${id}\` | ${meaning} |`),
    "",
  ].join("\n")
  await expect(page).toMatchFileSnapshot("../../../docs/certificates.md")
})
