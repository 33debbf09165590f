/**
 * Checks what deploys the template: synthesises the CDK's stack and checks it as the template itself, and parses the
 * Terraform configuration. If Terraform is installed and reaches its registry, it validates the configuration too.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { convertFiles } from "@cdktf/hcl2json"
import * as TemplateCheck from "../scripts/TemplateCheck.ts"

const here = import.meta.dirname
const template = readFileSync(join(here, "template.yaml"), "utf8")
const work = mkdtempSync(join(tmpdir(), "deploy-check-"))
const problems: Array<string> = []

const run = (command: string, args: ReadonlyArray<string>, options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
  spawnSync(command, args, { encoding: "utf8", cwd: here, ...options })

const synthesise = (): void => {
  const context = {
    BaseUrl: "https://api.example.com",
    PartnerId: "acme",
    SecretArn: "arn:aws:secretsmanager:eu-west-1:123456789012:secret:transfers/secret-key-a1b2c3",
  }
  const env = { ...process.env, CDK_OUTDIR: work, CDK_CONTEXT_JSON: JSON.stringify(context) }
  const { status, stderr } = run(process.execPath, ["cdk/app.ts"], { env })
  if (status !== 0) return void problems.push(`cdk: ${stderr}`)
  const text = readFileSync(join(work, "validation.template.json"), "utf8")
  const stack = TemplateCheck.parse(text.replaceAll(/"Fn::(\w+)":/g, '"$1":'))
  const given = TemplateCheck.parse(template)
  const lost = Object.keys(given.Resources).filter((id) => !(id in stack.Resources))
  problems.push(...lost.map((id) => `cdk: the resource ${id} is lost`))
  problems.push(...TemplateCheck.problems(stack).map((problem) => `cdk: ${problem}`))
  if (/CodeUri": "\.\.|DefinitionUri": "/.test(text)) problems.push("cdk: the stack names a file of this machine")
  console.log(`cdk: ${Object.keys(stack.Resources).length} resources synthesised`)
}

const parseTerraform = async (): Promise<void> => {
  const folder = join(here, "terraform")
  const configuration: unknown = await convertFiles(folder)
  const { locals, resource }: { readonly [block: string]: unknown } = { ...Object(configuration) }
  const uris = Object.values(Object(Object(locals)[0])).filter((value) => /^\w+Uri: /.test(String(value)))
  const relative = template.match(/\b(?:Code|Definition)Uri: \S+/g) ?? []
  if (uris.toSorted().join() !== relative.toSorted().join()) {
    problems.push(`terraform: it replaces ${uris.join(", ")}, and the template has ${relative.join(", ")}`)
  }
  const [stack] = Object(Object(resource).aws_cloudformation_stack).validation
  const names = [...String(stack.parameters).matchAll(/(\w+)\s*= var\./g)].map(([, name = ""]) => name)
  const { Parameters } = TemplateCheck.parse(template)
  problems.push(
    ...names.filter((name) => !(name in Parameters)).map((name) => `terraform: the template has no ${name}`),
    ...(names.length < 3 ? ["terraform: the stack has no parameters"] : []),
    // CloudFormation's limit.
    ...(Buffer.byteLength(template) > 50_000 ? ["terraform: the template is too long for template_body"] : []),
  )
  console.log(`terraform: ${readdirSync(folder).join(", ")} parsed`)
}

const validateTerraform = (): void => {
  if (run("terraform", ["version"]).error !== undefined) return console.log("terraform: not installed, not validated")
  const format = run("terraform", ["fmt", "-check", "-diff", "terraform"])
  if (format.status !== 0) problems.push(`terraform: not formatted\n${format.stdout}`)
  const cwd = join(work, "terraform")
  cpSync(join(here, "terraform"), cwd, { recursive: true })
  const init = run("terraform", ["init", "-backend=false", "-input=false", "-no-color"], { cwd })
  if (init.status !== 0) return console.log("terraform: the provider cannot be fetched, not validated")
  const { status, stdout, stderr } = run("terraform", ["validate", "-no-color"], { cwd })
  if (status !== 0) problems.push(`terraform: ${stdout}${stderr}`)
  else console.log("terraform: valid")
}

try {
  synthesise()
  await parseTerraform()
  validateTerraform()
} finally {
  rmSync(work, { recursive: true })
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
