/** The program over PostgreSQL, as the deployments of `deploy/workers` run it. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parse, parseAllDocuments } from "yaml"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, run, start } from "./Cli.ts"

let server: Postgres.Server
beforeAll(async () => {
  server = await Postgres.start()
})
afterAll(() => server.stop())

test.each([{ workers: [] }, { workers: ["--workers", "2"] }])(
  "sync ends when it is done, with $workers",
  async ({ workers }) => {
    await using fake = await startFakeServer({ transfers: 300, partners: ["demo:demo-secret"] })
    const env = { ...demo(fake.url), TRANSFERS_MIRROR: await server.createDatabase() }
    expect(await run(["sync", ...workers], { env })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("demo: loaded 300 transfers"),
    })
  },
)

// ---------------------------------------------------------------------------------------------------- the files

const read = (name: string) => readFileSync(new URL(`../../../deploy/workers/${name}`, import.meta.url), "utf8")

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

interface Pod {
  readonly terminationGracePeriodSeconds: number
  readonly containers: ReadonlyArray<{
    readonly name: string
    readonly args: ReadonlyArray<string>
    readonly ports: ReadonlyArray<{ readonly name: string; readonly containerPort: number }>
    readonly startupProbe: Probe
    readonly livenessProbe: Probe
    readonly readinessProbe?: Probe
  }>
}

const documents = parseAllDocuments(read("kubernetes.yaml")).map((document) => document.toJS())
const pods: ReadonlyArray<Pod> = documents.flatMap(({ kind, spec }) =>
  kind === "Deployment" ? [spec.template.spec] : [],
)
const containers = pods.flatMap((pod) => pod.containers.map((container) => ({ pod, ...container })))

interface Service {
  readonly command: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
  readonly stop_grace_period: string
  readonly healthcheck: { readonly test: ReadonlyArray<string> }
}

const { services } = parse(read("compose.yaml"), { merge: true })
const composed: Readonly<Record<"sync" | "worker", Service>> = { sync: services.sync, worker: services.worker }

/** How long an end may take, in seconds. The deployments allow more. */
const longestEnd = 14

describe("deploy/workers", () => {
  test("a policy lets every pod talk to what it needs alone", () => {
    const deployed = documents.flatMap(({ kind, metadata }) => (kind === "Deployment" ? [metadata.name] : []))
    const policy = documents.find(({ kind }) => kind === "NetworkPolicy")
    expect(policy.spec.podSelector.matchExpressions).toEqual([{ key: "app", operator: "In", values: deployed }])
    expect(policy.spec.policyTypes).toEqual(["Ingress", "Egress"])
  })

  test("Compose and Kubernetes run the same command lines, without a secret in them", () => {
    expect(containers.map(({ name, args }) => [name, args])).toEqual([
      ["sync", composed.sync.command],
      ["worker", composed.worker.command],
    ])
    expect(JSON.stringify(containers.map(({ args }) => args))).not.toMatch(/secret|postgres|password/i)
    expect(Object.keys(composed.worker.environment)).toEqual([
      "TRANSFERS_BASE_URL",
      "TRANSFERS_PARTNER_ID",
      "TRANSFERS_SECRET_KEY",
      "TRANSFERS_MIRROR",
      "PGPASSWORD",
    ])
    // What Compose puts into a URL is not escaped.
    expect(URL.parse(composed.worker.environment["TRANSFERS_MIRROR"] ?? "")?.password).toBe("")
    expect(JSON.stringify(composed.worker.environment)).not.toMatch(/:\/\/[^"]*\$\{/)
  })

  test.each(containers)("the probes of $name ask where it serves", ({ args, ports, ...container }) => {
    const [port] = ports
    expect(args.at(-1)).toBe(`0.0.0.0:${port?.containerPort}`)
    const probes = [
      container.startupProbe,
      container.livenessProbe,
      container.readinessProbe ?? container.livenessProbe,
    ]
    expect(probes.map(({ httpGet }) => httpGet.port)).toEqual(probes.map(() => port?.name))
    expect(probes.map(({ httpGet }) => httpGet.path)).toEqual([
      "/healthz",
      "/healthz",
      container.readinessProbe === undefined ? "/healthz" : "/readyz",
    ])
  })

  test.each(pods.map((pod) => ({ name: pod.containers[0]?.name, pod })))(
    "$name does not run as root, writes nothing but /tmp, and has time to end",
    ({ pod }) => {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ["ALL"] },
            },
            volumeMounts: [{ mountPath: "/tmp" }],
            resources: { requests: { cpu: expect.any(String), memory: expect.any(String) } },
          },
        ],
      })
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(2 * longestEnd)
      expect(Number.parseInt(composed.worker.stop_grace_period, 10)).toBeGreaterThan(2 * longestEnd)
    },
  )
})

// ---------------------------------------------------------------------------------------------------- the processes

const argsOf = (wanted: string): ReadonlyArray<string> => containers.find(({ name }) => name === wanted)?.args ?? []

/** Starts a container's command line, on a free port: all of them are on one machine here. */
const startContainer = async (name: string, env: Readonly<Record<string, string>>) => {
  const child = start(
    argsOf(name).map((arg) => arg.replace(/:9464$/, ":0")),
    { env },
  )
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
  child.stdout.resume()
  const metrics = await Waiting.until(() => /Metrics on http:\/\/0\.0\.0\.0:(\d+)/.exec(stderr)?.[1])
  const ask = async (path: string) => {
    try {
      return (await fetch(`http://127.0.0.1:${metrics}${path}`)).status
    } catch (cause) {
      throw new Error(`The ${name} does not respond: ${stderr}`, { cause })
    }
  }
  return { child, stderr: () => stderr, ask }
}

/** Ends a process as both deployments do, and tells the exit code and the seconds it took. */
const end = async (child: ChildProcess) => {
  const started = performance.now()
  const ended = once(child, "exit")
  child.kill("SIGTERM")
  const [code] = await ended
  return { code, seconds: (performance.now() - started) / 1000 }
}

const query = (address: string, text: string) =>
  Effect.runPromise(
    TransferMirror.use((mirror) => mirror.query(text, { allowSuperuser: true })).pipe(
      Effect.map(({ rows }) => rows),
      Effect.provide(TransferMirror.layer(address)),
    ),
  )

test("a worker that receives SIGTERM ends at once, and the others load what it was reading", async () => {
  const address = await server.createDatabase()
  const latency = Duration.millis(100)
  await using fake = await startFakeServer({ transfers: 3000, latency: { from: latency, to: latency } })
  const env = { ...demo(fake.url), TRANSFERS_MIRROR: address }
  const running: Array<ChildProcess> = []
  const launch = async (name: string) => {
    const container = await startContainer(name, env)
    running.push(container.child)
    return container
  }
  try {
    const worker = await launch("worker")
    expect([await worker.ask("/healthz"), await worker.ask("/readyz")]).toEqual([200, 200])
    const sync = await launch("sync")
    expect(await sync.ask("/healthz")).toBe(200)
    const name = `worker LIKE '%:${worker.child.pid}'`
    const windows = () => query(address, `SELECT 1 FROM sync_windows WHERE state = 'running' AND ${name}`)
    await Waiting.until(async () => (await windows()).length > 0)
    const [, ended] = [await launch("worker"), await end(worker.child)]
    expect(ended).toMatchObject({ code: 143 })
    expect(ended.seconds).toBeLessThan(longestEnd)
    await Waiting.until(() => sync.stderr().includes("demo: loaded 3,000 transfers"))
    expect(
      await query(address, "SELECT COUNT(*) AS n, COUNT(DISTINCT id) AS ids FROM mirrored_transfers"),
    ).toMatchObject([{ n: 3000n, ids: 3000n }])
    expect(await query(address, "SELECT CAST(SUM(transfers) AS BIGINT) AS n FROM sync_windows")).toEqual([{ n: 3000n }])
    expect(await query(address, "SELECT DISTINCT state FROM sync_windows")).toEqual([{ state: "done" }])
    expect((await end(sync.child)).seconds).toBeLessThan(longestEnd)
  } finally {
    for (const child of running) child.kill("SIGKILL")
  }
})

test("a worker is not ready while its database does not respond, and is not restarted for it", async () => {
  const own = await Postgres.start()
  await using fake = await startFakeServer({ partners: ["demo:demo-secret"] })
  const { child, ask } = await startContainer("worker", {
    ...demo(fake.url),
    TRANSFERS_MIRROR: await own.createDatabase(),
  })
  try {
    expect(await ask("/readyz")).toBe(200)
    await own.stop()
    expect([await ask("/healthz"), await ask("/readyz")]).toEqual([200, 503])
    expect((await end(child)).seconds).toBeLessThan(longestEnd)
  } finally {
    child.kill("SIGKILL")
  }
})
