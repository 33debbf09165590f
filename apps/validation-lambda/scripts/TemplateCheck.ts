/**
 * Checks a SAM template offline against AWS's own specification of its resources: types, properties, required ones,
 * and the targets of `Ref`, `GetAtt`, `Sub` and `If`. The specification is a package from AWS.
 */
import { readFileSync } from "node:fs"
import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec"
import type { PropertyType, Resource, SpecDatabase, TypeDefinition } from "@aws-cdk/service-spec-types"
import { type CollectionTag, isSeq, parse as parseYaml, type ScalarTag } from "yaml"

/** A template, with short functions such as `!Ref X` as objects: `{ Ref: "X" }`. */
export interface Template {
  readonly Parameters: Fields
  readonly Conditions: Fields
  readonly Resources: { readonly [id: string]: { readonly Type: string; readonly Properties: Fields } }
  readonly Outputs: Fields
}

type Fields = { readonly [field: string]: unknown }

const empty: Template = { Parameters: {}, Conditions: {}, Resources: {}, Outputs: {} }

const functions = ["Ref", "GetAtt", "Sub", "If", "Equals", "Not"]

/** Reads a template's text. */
export const parse = (text: string): Template => {
  const customTags = functions.flatMap((name): ReadonlyArray<ScalarTag | CollectionTag> => {
    const resolve = (value: unknown) => ({ [name]: isSeq(value) ? value.toJSON() : value })
    return [
      { tag: `!${name}`, resolve },
      { tag: `!${name}`, collection: "seq", resolve },
    ]
  })
  const template: Template = { ...empty, ...parseYaml(text, { customTags: [...customTags] }) }
  const resources = Object.entries(template.Resources).map(([id, one]) => [
    id,
    { ...one, Properties: one.Properties ?? {} },
  ])
  return { ...template, Resources: Object.fromEntries(resources) }
}

/** All problems of a template, each with its place. */
export const problems = (template: Template): ReadonlyArray<string> => {
  const database = loadAwsServiceSpecSync()
  return [
    ...Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) => {
      const resource = resourceOf(database, Type)
      return resource === undefined
        ? [`${id}: there is no resource type ${Type}`]
        : checkFields(database, Properties, { at: id, spec: resource, name: Type })
    }),
    ...checkReferences(database, template),
  ]
}

const resourceOf = (database: SpecDatabase, type: string): Resource | undefined =>
  database.lookup("resource", "cloudFormationType", "equals", type)[0]

// ---------------------------------------------------------------------------------------------------- properties

/** The resource that gets a SAM resource's other properties unchanged; SAM's part of the specification omits them. */
const passedOn: { readonly [name: string]: string } = {
  "AWS::Serverless::Function": "AWS::Lambda::Function",
  SQSEvent: "AWS::Lambda::EventSourceMapping",
}

interface Place {
  readonly at: string
  readonly spec: Pick<TypeDefinition, "properties">
  readonly name: string
}

const checkFields = (database: SpecDatabase, value: unknown, { at, spec, name }: Place): ReadonlyArray<string> => {
  if (!isFields(value)) return [`${at}: it is not an object`]
  const further = passedOn[name] === undefined ? undefined : resourceOf(database, passedOn[name])
  const known = { ...further?.properties, ...spec.properties }
  const missing = Object.entries(spec.properties).filter(([field, { required }]) => required && !(field in value))
  return [
    ...missing.map(([field]) => `${at}: ${field} is missing, which ${name} requires`),
    ...Object.entries(value).flatMap(([field, child]) => {
      const property = known[field]
      return property === undefined
        ? [`${at}: ${name} has no property ${field}`]
        : checkValue(database, child, { at: `${at}.${field}`, type: property.type })
    }),
  ]
}

const checkValue = (
  database: SpecDatabase,
  value: unknown,
  { at, type }: { readonly at: string; readonly type: PropertyType },
): ReadonlyArray<string> => {
  if (isFunction(value)) return []
  switch (type.type) {
    case "string":
      return typeof value === "string" || typeof value === "number" ? [] : [`${at}: it is not a text`]
    case "integer":
      return Number.isInteger(value) ? [] : [`${at}: it is not a whole number`]
    case "number":
      return typeof value === "number" ? [] : [`${at}: it is not a number`]
    case "boolean":
      return typeof value === "boolean" ? [] : [`${at}: it is neither true nor false`]
    case "array":
      return Array.isArray(value)
        ? value.flatMap((item, index) => checkValue(database, item, { at: `${at}[${index}]`, type: type.element }))
        : [`${at}: it is not a list`]
    case "map":
      return isFields(value)
        ? Object.entries(value).flatMap(([key, item]) =>
            checkValue(database, item, { at: `${at}.${key}`, type: type.element }),
          )
        : [`${at}: it is not an object`]
    case "ref": {
      const spec = database.get("typeDefinition", type.reference.$ref)
      return checkFields(database, value, { at, spec, name: spec.name })
    }
    case "union": {
      const found = type.types.map((one) => checkValue(database, value, { at, type: one }))
      return found.toSorted((a, b) => a.length - b.length)[0] ?? []
    }
    default:
      return []
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isFunction = (value: unknown): boolean => {
  const [name, ...others] = isFields(value) ? Object.keys(value) : []
  return name !== undefined && others.length === 0 && functions.includes(name)
}

// ---------------------------------------------------------------------------------------------------- references

const checkReferences = (database: SpecDatabase, template: Template): ReadonlyArray<string> => {
  const { Parameters, Conditions, Resources } = template
  const checkRef = (name: string): ReadonlyArray<string> =>
    name.startsWith("AWS::") || name in Parameters || name in Resources
      ? []
      : [`Ref ${name}: there is no such parameter or resource`]
  const checkGetAtt = (target: string): ReadonlyArray<string> => {
    const [id = "", ...rest] = target.split(".")
    const type = Resources[id]?.Type
    if (type === undefined) return [`GetAtt ${target}: there is no resource ${id}`]
    const attributes = [type, madeOf[type]].flatMap((name) =>
      Object.keys((name === undefined ? undefined : resourceOf(database, name))?.attributes ?? {}),
    )
    return attributes.includes(rest.join(".")) ? [] : [`GetAtt ${target}: ${type} has no attribute ${rest.join(".")}`]
  }
  const checkSub = (text: string): ReadonlyArray<string> =>
    [...text.matchAll(/\$\{([^!}][^}]*)\}/g)].flatMap(([, name = ""]) =>
      name.includes(".") && !name.startsWith("AWS::") ? checkGetAtt(name) : checkRef(name),
    )
  const visit = (value: unknown): ReadonlyArray<string> => {
    if (Array.isArray(value)) return value.flatMap(visit)
    if (!isFields(value)) return []
    return Object.entries(value).flatMap(([key, child]) => {
      if (key === "Ref") return checkRef(String(child))
      if (key === "GetAtt") return checkGetAtt(Array.isArray(child) ? child.join(".") : String(child))
      if (key === "Sub" && typeof child === "string") return checkSub(child)
      if (key === "If" && Array.isArray(child) && !(String(child[0]) in Conditions)) {
        return [`If ${child[0]}: there is no such condition`]
      }
      return visit(child)
    })
  }
  return visit([template.Conditions, template.Resources, template.Outputs])
}

/** What SAM's resources become. */
const madeOf: { readonly [type: string]: string } = {
  "AWS::Serverless::Function": "AWS::Lambda::Function",
  "AWS::Serverless::StateMachine": "AWS::StepFunctions::StateMachine",
}

if (import.meta.main) {
  const found = problems(parse(readFileSync(new URL("../deploy/template.yaml", import.meta.url), "utf8")))
  process.stdout.write(
    found.map((problem) => `${problem}\n`).join("") || "template.yaml conforms to the specification\n",
  )
  process.exitCode = found.length === 0 ? 0 : 1
}
