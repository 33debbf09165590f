/** A stack with the validation lambda. `npx aws-cdk@2 deploy` deploys it, after `pnpm build`. */
import { App, Stack } from "aws-cdk-lib"
import { ValidationLambda } from "./ValidationLambda.ts"

const app = new App()
const required = (name: string): string => {
  const value: unknown = app.node.tryGetContext(name)
  if (typeof value === "string" && value !== "") return value
  throw new Error(`Set ${name}: --context ${name}=…`)
}

/** Its outputs are those of the template. */
export const validation = new ValidationLambda(new Stack(app, "validation"), "Validation", {
  BaseUrl: required("BaseUrl"),
  PartnerId: required("PartnerId"),
  SecretArn: required("SecretArn"),
})
app.synth()
