/** The template. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as TemplateCheck from "../scripts/TemplateCheck.ts"
import { credentials, Raw, startAws } from "./aws.ts"

const read = (name: string): string => readFileSync(new URL(`../deploy/${name}`, import.meta.url), "utf8")

const text = read("template.yaml")
const template = TemplateCheck.parse(text)
const resources = Object.entries(template.Resources)
const properties = (name: string) => template.Resources[name]?.Properties ?? {}

describe("the template", () => {
  it("conforms to AWS's specification of its resources", () => {
    expect(TemplateCheck.problems(template)).toEqual([])
  })

  it.each([
    ["Type: AWS::SQS::Queue", "Type: AWS::SQS::Queueue", "Queue: there is no resource type AWS::SQS::Queueue"],
    ["MemorySize: 512", "Memory: 512", "ValidationFunction: AWS::Serverless::Function has no property Memory"],
    ["Timeout: 25", "Timeout: long", "ValidationFunction.Timeout: it is not a"],
    ["      AuthType: AWS_IAM", "      InvokeMode: BUFFERED", "FunctionUrl: AuthType is missing"],
    ["            BatchSize: 10", "            BatchSizes: 10", "has no property BatchSizes"],
    ["!Ref LogRetentionDays", "!Ref LogRetention", "Ref LogRetention: there is no such parameter or resource"],
    ["!GetAtt Queue.Arn", "!GetAtt Queue.ARN", "GetAtt Queue.ARN: AWS::SQS::Queue has no attribute ARN"],
    ["!GetAtt DeadLetters.Arn", "!GetAtt Dead.Arn", "GetAtt Dead.Arn: there is no resource Dead"],
    ["rate(${AuditEveryHours} hours)", "rate(${Every} hours)", "Ref Every: there is no such parameter or resource"],
    ["!If [HasAlarmTopic,", "!If [HasTopic,", "If HasTopic: there is no such condition"],
  ])("would be rejected with %s as %s", (right, wrong, problem) => {
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
    expect(unnamed).toEqual(["xray", "xray", "logs", "xray", "logs"])
    expect(statements.filter((statement) => /"Action".*\*/.test(statement))).toEqual([])
    expect(JSON.stringify(template)).not.toContain("ManagedPolicyArns")
  })

  it("limits the function's time and the age of logs, and accepts only signed requests", () => {
    expect(properties("ValidationFunction")).toMatchObject({
      Handler: "lambda.handler",
      CodeUri: "../dist/validation-lambda.zip",
      Timeout: 25,
      LoggingConfig: { SystemLogLevel: "INFO" },
    })
    expect(properties("FunctionUrl")).toMatchObject({ AuthType: "AWS_IAM" })
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
        expect(properties(`${id}Policy`)["Bucket"]).toEqual({ Ref: id })
      }
    }
    for (const id of ["QueuePolicy", "FindingsTopicPolicy", "CapabilitiesBucketPolicy", "ProposalsBucketPolicy"]) {
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

  it("logs the errors of the state machines", () => {
    for (const name of ["AuditMachine", "ParallelAuditMachine", "ProposalsMachine"]) {
      expect(properties(name)).toMatchObject({ Logging: { Level: "ERROR", IncludeExecutionData: false } })
    }
  })

  it("has the outputs, parameters and files that the commands of the README name", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
    const outputs = [...readme.matchAll(/\$\(output (\w+)\)/g)].map(([, name]) => name)
    expect(new Set(outputs).size).toBeGreaterThan(7)
    expect(Object.keys(template.Outputs)).toEqual(expect.arrayContaining(outputs))
    const parameters = [...readme.matchAll(/ ([A-Z]\w+)="\$\w+"/g)].map(([, name]) => name)
    expect(new Set(parameters).size).toBeGreaterThan(3)
    expect(Object.keys(template.Parameters)).toEqual(expect.arrayContaining(parameters))
    const variables = [...readme.matchAll(/"\$(\w+)"/g)].map(([, name]) => name)
    for (const name of variables) expect(readme).toMatch(new RegExp(`^(export )?${name}=|read -r ${name}`, "m"))
    expect(read("samconfig.toml")).toContain('stack_name = "validation"')
  })

  it("is called by a signed request, with a policy for the Function URL only", async () => {
    await using url = await startAws({ "POST /": ({ text: body }) => new Raw(200, `validated ${String(body)}`) })
    const folder = await mkdtemp(join(tmpdir(), "caller-"))
    const file = join(folder, "proposal.json")
    await writeFile(file, '{"external_id":"order-1"}')
    const args = [new URL("../deploy/caller.ts", import.meta.url).pathname, `${url.url}/`, file]
    const caller = spawn(process.execPath, args, { env: credentials })
    let output = ""
    caller.stdout.setEncoding("utf8").on("data", (part: string) => (output += part))
    const [status] = await once(caller, "close")
    await rm(folder, { recursive: true })
    expect({ output, status }).toEqual({ output: 'validated {"external_id":"order-1"}\n', status: 0 })
    const { Statement } = JSON.parse(read("caller-policy.json"))
    expect(Statement).toMatchObject([
      { Action: "lambda:InvokeFunctionUrl", Resource: "FUNCTION_ARN" },
      { Action: "lambda:InvokeFunction", Condition: { Bool: { "lambda:InvokedViaFunctionUrl": "true" } } },
    ])
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
      "ExecutionsFailed",
      "ExecutionsFailed",
      "ExecutionsTimedOut",
      "ExecutionsTimedOut",
      "ExecutionsTimedOut",
      "Failures",
      "Rejections",
      "StaleAge",
      "Throttles",
    ])
    expect(JSON.stringify(properties("ErrorAlarm"))).toContain('"errors - FILL(rejections, 0)"')
  })

  it("counts the function's own errors as failures, not those that Lambda logs for a caller's mistake", () => {
    expect(properties("FailureFilter")["FilterPattern"]).toBe('{ $.level = "ERROR" && $.event = "*" }')
  })

  it.each(["AuditMachine", "ParallelAuditMachine", "ProposalsMachine"])(
    "substitutes every variable of the %s",
    (name) => {
      const { DefinitionUri, DefinitionSubstitutions } = Object(properties(name))
      const open = new Set([...read(DefinitionUri).matchAll(/\$\{(\w+)\}/g)].map(([, variable]) => variable))
      expect([...open].toSorted()).toEqual(Object.keys(DefinitionSubstitutions).toSorted())
    },
  )
})
