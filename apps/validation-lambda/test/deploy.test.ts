import { readFileSync } from "node:fs"
/** What is deployed: the template and the loop of the audit, run against the handler itself. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { type RunOptions, StateMachine } from "aws-local-stepfunctions"
import { describe, expect, it } from "vitest"
import * as TemplateCheck from "../scripts/TemplateCheck.ts"
import { makeLambda } from "./invoke.ts"
import { capabilitiesText, startService } from "./service.ts"

const read = (name: string): string => readFileSync(new URL(`../deploy/${name}`, import.meta.url), "utf8")

const text = read("template.yaml")
const template = TemplateCheck.parse(text)
const resources = Object.entries(template.Resources)
const properties = (name: string) => template.Resources[name]?.Properties ?? {}

describe("the template", () => {
  it("holds to AWS's specification of its resources", { timeout: 30_000 }, () => {
    expect(TemplateCheck.problems(template)).toEqual([])
  })

  it.each([
    ["Type: AWS::SQS::Queue", "Type: AWS::SQS::Queueue", "Queue: there is no resource type AWS::SQS::Queueue"],
    ["MemorySize: 512", "Memory: 512", "ValidationFunction: AWS::Serverless::Function has no property Memory"],
    ["Timeout: 25", "Timeout: long", "ValidationFunction.Timeout: it is not a"],
    ["        AuthType: AWS_IAM", "        InvokeMode: BUFFERED", "FunctionUrlConfig: AuthType is missing"],
    ["            BatchSize: 10", "            BatchSizes: 10", "has no property BatchSizes"],
    ["!Ref LogRetentionDays", "!Ref LogRetention", "Ref LogRetention: there is no such parameter or resource"],
    ["!GetAtt Queue.Arn", "!GetAtt Queue.ARN", "GetAtt Queue.ARN: AWS::SQS::Queue has no attribute ARN"],
    ["!GetAtt DeadLetters.Arn", "!GetAtt Dead.Arn", "GetAtt Dead.Arn: there is no resource Dead"],
    ["rate(${AuditEveryHours} hours)", "rate(${Every} hours)", "Ref Every: there is no such parameter or resource"],
    ["!If [HasAlarmTopic,", "!If [HasTopic,", "If HasTopic: there is no such condition"],
  ])("would be refused with %s as %s", { timeout: 30_000 }, (right, wrong, problem) => {
    expect(text).toContain(right)
    const broken = TemplateCheck.parse(text.replaceAll(right, wrong))
    expect(TemplateCheck.problems(broken).join("\n")).toContain(problem)
  })

  it("allows each role only named actions on named resources", () => {
    const statements = resources
      .filter(([, { Type }]) => Type === "AWS::IAM::Role")
      .flatMap(
        ([, role]) =>
          JSON.stringify(role.Properties["Policies"]).match(
            /"(?:Action|Resource)":(?:"[^"]*"|\[[^\]]*\]|\{[^}]*\})/g,
          ) ?? [],
      )
    expect(statements.length).toBeGreaterThan(10)
    for (const statement of statements) expect(statement).not.toContain("*")
    expect(JSON.stringify(template)).not.toContain("ManagedPolicyArns")
  })

  it("bounds the function's time and concurrency, keeps logs for a time, and lets nobody in unsigned", () => {
    expect(properties("ValidationFunction")).toMatchObject({
      Handler: "lambda.handler",
      CodeUri: "../dist/validation-lambda.zip",
      Timeout: 25,
      ReservedConcurrentExecutions: { Ref: "ReservedConcurrency" },
      FunctionUrlConfig: { AuthType: "AWS_IAM" },
    })
    expect(properties("LogGroup")).toMatchObject({ RetentionInDays: { Ref: "LogRetentionDays" } })
  })

  it("sets only variables that the function reads, and the secret only by its name", () => {
    const settings = readFileSync(new URL("../src/Settings.ts", import.meta.url), "utf8")
    const { Variables } = Object(properties("ValidationFunction")["Environment"])
    const names = Object.keys(Variables)
    expect(names.length).toBeGreaterThan(6)
    for (const name of names) expect(settings).toContain(`"${name}"`)
    expect(names).not.toContain("TRANSFERS_SECRET_KEY")
  })

  it("has an alarm for whatever can go wrong", () => {
    const alarms = resources.filter(([, { Type }]) => Type === "AWS::CloudWatch::Alarm")
    expect(alarms.map(([, alarm]) => alarm.Properties["MetricName"]).toSorted()).toEqual([
      "ApproximateNumberOfMessagesVisible",
      "Errors",
      "ExecutionsFailed",
      "Failures",
      "Throttles",
    ])
  })

  it("gives the audit's loop all that it leaves open", () => {
    const open = new Set([...read("audit.asl.json").matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name))
    expect([...open].toSorted()).toEqual(
      Object.keys(Object(properties("AuditMachine")["DefinitionSubstitutions"])).toSorted(),
    )
  })
})

describe("the audit's loop", { timeout: 30_000 }, () => {
  /** Checks the definition against the Amazon States Language. */
  const machine = () =>
    new StateMachine(
      JSON.parse(
        read("audit.asl.json")
          .replaceAll("${Partition}", "aws")
          .replaceAll("${FunctionArn}", "arn:aws:lambda:us-east-1:123456789012:function:validation")
          .replaceAll("${FindingsTopicArn}", "arn:aws:sns:us-east-1:123456789012:findings"),
      ),
    )

  const window = { audit: { since: "2024-09-01T00:00:00Z", until: "2024-09-02T00:00:00Z" } }

  const run = async (url: string, event: Parameters<StateMachine["run"]>[0]) => {
    const lambda = makeLambda(url)
    const told: Array<unknown> = []
    let invocations = 0
    const overrides: NonNullable<RunOptions["overrides"]> = {
      taskResourceLocalHandlers: {
        AuditPart: async (input) => {
          invocations += 1
          return {
            StatusCode: 200,
            Payload: JSON.parse(JSON.stringify(await lambda.invoke(Object(input).Payload, 1200))),
          }
        },
        Tell: async (input) => {
          told.push(Object(input).Message)
          return {}
        },
      },
      retryIntervalOverrides: { AuditPart: 0 },
    }
    const output: unknown = await machine().run(event, { overrides }).result
    return { output, told, invocations }
  }

  it("feeds continuations back until the whole window is audited, and tells of each part's findings", async () => {
    await using fake = await startFakeServer({
      partners: ["partner:key"],
      capabilities: JSON.parse(capabilitiesText),
      data: Array.from({ length: 120 }, (_, index) => ({
        id: `tr_${index}`,
        kind: "cash_in",
        status: "complete",
        created_at: `2024-09-01T10:00:${String(index % 60).padStart(2, "0")}Z`,
        ...(index % 40 === 0 ? {} : { network_transaction_id: "0x1" }),
      })),
    })
    await using slow = await startService((request, response) => {
      setTimeout(async () => {
        const headers = { authorization: request.headers.authorization ?? "" }
        const answer = await fetch(`${fake.url}${request.url}`, { headers })
        response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text())
      }, 200)
    })
    const { output, told, invocations } = await run(slow.url, window)
    expect(output).toMatchObject({ tally: { audited: 120, with_findings: 3 }, window: window.audit })
    expect(invocations).toBeGreaterThan(1)
    expect(told.flatMap((message) => Object(message).transfers)).toHaveLength(3)
  })

  it("tells nobody of nothing, and takes a schedule's event as it comes", async () => {
    await using fake = await startFakeServer({ partners: ["partner:key"] })
    const time = "2024-09-01T12:00:00Z"
    const event = { "detail-type": "Scheduled Event", source: "aws.events", time, detail: {} }
    expect(await run(fake.url, event)).toMatchObject({ told: [], invocations: 1, output: { tally: { audited: 0 } } })
  })

  it("tries a part again when the service fails, and not when the event is wrong", async () => {
    let failures = 0
    await using fake = await startFakeServer({ partners: ["partner:key"] })
    await using flaky = await startService(async (request, response) => {
      if ((failures += 1) <= 2) return void response.writeHead(503).end()
      const headers = { authorization: request.headers.authorization ?? "" }
      const answer = await fetch(`${fake.url}${request.url}`, { headers })
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text())
    })
    expect(await run(flaky.url, window)).toMatchObject({ invocations: 3, output: { tally: { audited: 0 } } })
    await expect(run(fake.url, { audit: { since: "x" } })).rejects.toThrow(/MalformedAudit|has no until|RFC 3339/)
  })
})
