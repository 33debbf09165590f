/** The template, and the loop of the audit, run with the handler itself. */
import { readFileSync } from "node:fs"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { type RunOptions, StateMachine } from "aws-local-stepfunctions"
import { describe, expect, it } from "vitest"
import * as TemplateCheck from "../scripts/TemplateCheck.ts"
import { makeLambda } from "./invoke.ts"
import { capabilitiesText, forwardTo, startService } from "./service.ts"

const read = (name: string): string => readFileSync(new URL(`../deploy/${name}`, import.meta.url), "utf8")

const text = read("template.yaml")
const template = TemplateCheck.parse(text)
const resources = Object.entries(template.Resources)
const properties = (name: string) => template.Resources[name]?.Properties ?? {}

describe("the template", () => {
  it("conforms to AWS's specification of its resources", { timeout: 30_000 }, () => {
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
  ])("would be rejected with %s as %s", { timeout: 30_000 }, (right, wrong, problem) => {
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
    // X-Ray and log delivery support no named resources.
    const unnamed = statements.flatMap((statement, index) =>
      statement === '"Resource":"*"' ? [String(statements[index - 1]).replaceAll(/^"Action":\["|:.*/g, "")] : [],
    )
    expect(unnamed).toEqual(["xray", "xray", "logs"])
    expect(statements.filter((statement) => /"Action".*\*/.test(statement))).toEqual([])
    expect(JSON.stringify(template)).not.toContain("ManagedPolicyArns")
  })

  it("limits the function's time and the age of logs, and accepts only signed requests", () => {
    expect(properties("ValidationFunction")).toMatchObject({
      Handler: "lambda.handler",
      CodeUri: "../dist/validation-lambda.zip",
      Timeout: 25,
      FunctionUrlConfig: { AuthType: "AWS_IAM" },
      LoggingConfig: { SystemLogLevel: "INFO" },
    })
    expect(properties("LogGroup")).toMatchObject({ RetentionInDays: { Ref: "LogRetentionDays" } })
  })

  it("reserves concurrency only on demand, and never less than the queue takes", () => {
    const { AllowedPattern, Default } = Object(template.Parameters["ReservedConcurrency"])
    const allowed = new RegExp(AllowedPattern)
    expect(Default).toBe("")
    expect(["", "5", "10", "1000"].filter((value) => !allowed.test(value))).toEqual([])
    expect(["0", "1", "2", "4", "-1", "many"].filter((value) => allowed.test(value))).toEqual([])
    const { ReservedConcurrentExecutions, Events } = Object(properties("ValidationFunction"))
    expect(ReservedConcurrentExecutions).toEqual({
      If: ["HasReservedConcurrency", { Ref: "ReservedConcurrency" }, { Ref: "AWS::NoValue" }],
    })
    expect(Events.Proposals.Properties.ScalingConfig.MaximumConcurrency).toBeLessThan(5)
  })

  it("receives a message five times, over longer than the queue-age alarm waits", () => {
    const { VisibilityTimeout, RedrivePolicy } = Object(properties("Queue"))
    expect(RedrivePolicy.maxReceiveCount).toBe(5)
    expect(Number(properties("QueueAgeAlarm")["Threshold"])).toBeGreaterThan(5 * VisibilityTimeout)
  })

  it("encrypts queues, topics and the bucket, and accepts TLS only", () => {
    for (const [id, { Type, Properties }] of resources) {
      const ref = JSON.stringify({ Ref: id })
      if (Type === "AWS::SQS::Queue") {
        expect(Properties).toMatchObject({ SqsManagedSseEnabled: true })
        expect(JSON.stringify(properties("QueuePolicy")["Queues"])).toContain(ref)
      }
      if (Type === "AWS::SNS::Topic") {
        expect(Properties).toMatchObject({ KmsMasterKeyId: "alias/aws/sns" })
        expect(JSON.stringify(properties("FindingsTopicPolicy")["Topics"])).toContain(ref)
      }
      if (Type === "AWS::S3::Bucket") {
        expect(JSON.stringify(Properties["BucketEncryption"])).toContain('"SSEAlgorithm":"AES256"')
        expect(properties("CapabilitiesBucketPolicy")["Bucket"]).toEqual({ Ref: id })
      }
    }
    for (const id of ["QueuePolicy", "FindingsTopicPolicy", "CapabilitiesBucketPolicy"]) {
      expect(Object(properties(id)["PolicyDocument"]).Statement).toMatchObject([
        { Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } },
      ])
    }
  })

  it("lets entries at level DEBUG pass only if a share of the invocations logs them", () => {
    expect(properties("ValidationFunction")).toMatchObject({
      LoggingConfig: { ApplicationLogLevel: { If: ["HasDebug", "DEBUG", "INFO"] } },
    })
    expect(template.Conditions["HasDebug"]).toEqual({ Not: [{ Equals: [{ Ref: "DebugSample" }, "0"] }] })
  })

  it("logs the errors of the state machine", () => {
    expect(properties("AuditMachine")).toMatchObject({ Logging: { Level: "ERROR", IncludeExecutionData: false } })
  })

  it("outputs what the commands of the README need", () => {
    expect(Object.keys(template.Outputs)).toEqual(
      expect.arrayContaining(["FunctionName", "AuditMachineArn", "QueueUrl"]),
    )
  })

  it("sets only variables that the function reads, and the secret only by its name", () => {
    const settings = readFileSync(new URL("../src/Settings.ts", import.meta.url), "utf8")
    const { Variables } = Object(properties("ValidationFunction")["Environment"])
    const names = Object.keys(Variables)
    expect(names.length).toBeGreaterThan(6)
    for (const name of names) expect(settings).toContain(`"${name}"`)
    expect(names).not.toContain("TRANSFERS_SECRET_KEY")
  })

  it("has an alarm for each thing that can go wrong", () => {
    const alarms = resources.filter(([, { Type }]) => Type === "AWS::CloudWatch::Alarm")
    const metrics = alarms.flatMap(([, alarm]) =>
      [...JSON.stringify(alarm.Properties).matchAll(/"MetricName":"(\w+)"/g)].map(([, name]) => name),
    )
    expect(metrics.toSorted()).toEqual([
      "ApproximateAgeOfOldestMessage",
      "ApproximateNumberOfMessagesVisible",
      "Errors",
      "ExecutionsFailed",
      "ExecutionsTimedOut",
      "Failures",
      "Rejections",
      "Throttles",
    ])
    expect(JSON.stringify(properties("ErrorAlarm"))).toContain('"errors - FILL(rejections, 0)"')
  })

  it("substitutes every variable of the audit's loop", () => {
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
    const published: Array<unknown> = []
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
        PublishFindings: async (input) => {
          published.push(Object(input).Message)
          return {}
        },
      },
      retryIntervalOverrides: { AuditPart: 0 },
    }
    const output: unknown = await machine().run(event, { overrides }).result
    return { output, published, invocations }
  }

  it("passes continuations back until the whole window is audited, and publishes each part's findings", async () => {
    await using fake = await startFakeServer({
      partners: ["partner:key"],
      capabilities: JSON.parse(capabilitiesText),
      data: Array.from({ length: 3600 }, (_, index) => ({
        id: `tr_${index}`,
        kind: "cash_in",
        status: "complete",
        created_at: new Date(Date.UTC(2024, 8, 1, 10) + index * 3000).toISOString(),
        ...(index % 120 === 0 ? {} : { network_transaction_id: "0x1" }),
      })),
    })
    await using slow = await startService(forwardTo(fake.url, 50))
    const { output, published, invocations } = await run(slow.url, window)
    expect(output).toMatchObject({ tally: { audited: 3600, with_findings: 30 }, window: window.audit })
    expect(invocations).toBeGreaterThan(1)
    expect(published.flatMap((message) => Object(message).transfers)).toHaveLength(30)
  })

  it("publishes nothing without findings, and accepts a schedule's event as it is", async () => {
    await using fake = await startFakeServer({ partners: ["partner:key"] })
    const time = "2024-09-01T12:00:00Z"
    const event = { "detail-type": "Scheduled Event", source: "aws.events", time, detail: {} }
    expect(await run(fake.url, event)).toMatchObject({
      published: [],
      invocations: 1,
      output: { tally: { audited: 0 } },
    })
  })

  it("retries a part if the service fails, and not if the event is wrong", async () => {
    let failures = 0
    await using fake = await startFakeServer({ partners: ["partner:key"] })
    const forward = forwardTo(fake.url)
    await using flaky = await startService((request, response) => {
      if ((failures += 1) <= 2) response.writeHead(503).end()
      else forward(request, response)
    })
    expect(await run(flaky.url, window)).toMatchObject({ invocations: 3, output: { tally: { audited: 0 } } })
    await expect(run(fake.url, { audit: { since: "x" } })).rejects.toThrow(/MalformedAudit|has no until|RFC 3339/)
  })
})
