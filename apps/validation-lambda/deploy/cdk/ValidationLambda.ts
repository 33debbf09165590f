/** The validation lambda as a CDK construct: the resources of template.yaml, with this zip and these state machines. */
import { readFileSync } from "node:fs"
import { Asset } from "aws-cdk-lib/aws-s3-assets"
import { CfnFunction, CfnStateMachine } from "aws-cdk-lib/aws-sam"
import { CfnInclude } from "aws-cdk-lib/cloudformation-include"
import { Construct } from "constructs"

/** The parameters of the template by their names there. Those that are absent have its defaults. */
export interface ValidationLambdaProps {
  readonly BaseUrl: string
  readonly PartnerId: string
  readonly SecretArn: string
  readonly [parameter: string]: string
}

const pathOf = (file: string): string => new URL(`../${file}`, import.meta.url).pathname

export class ValidationLambda extends Construct {
  /** Each resource by its name in the template, to read its attributes or to change it. */
  readonly template: CfnInclude
  readonly function: CfnFunction

  constructor(scope: Construct, id: string, parameters: ValidationLambdaProps) {
    super(scope, id)
    this.template = new CfnInclude(this, "Template", { templateFile: pathOf("template.yaml"), parameters })
    const code = new Asset(this, "Code", { path: pathOf("../dist/validation-lambda.zip") })
    this.function = this.#resource("ValidationFunction", CfnFunction)
    this.function.codeUri = { bucket: code.s3BucketName, key: code.s3ObjectKey }
    for (const name of ["AuditMachine", "ParallelAuditMachine", "ProposalsMachine"]) {
      const machine = this.#resource(name, CfnStateMachine)
      machine.definition = JSON.parse(readFileSync(pathOf(String(machine.definitionUri)), "utf8"))
      machine.definitionUri = undefined
    }
  }

  #resource<A>(name: string, type: abstract new (...args: never) => A): A {
    const resource = this.template.getResource(name)
    if (resource instanceof type) return resource
    throw new Error(`${name} is not of the type that the construct expects.`)
  }
}
