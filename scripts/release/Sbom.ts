/** What a published package contains, as a CycloneDX document: made of what pnpm writes for the folder of the package. */

interface Component {
  readonly "bom-ref": string
  readonly group?: string
  readonly name: string
  readonly version?: string
  readonly scope?: string
  readonly properties?: ReadonlyArray<{ readonly name: string }>
}

/** The parts of a CycloneDX document that are read here; the others are kept. */
export interface Sbom {
  readonly metadata: { readonly component: Component }
  readonly components: ReadonlyArray<Component>
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn?: ReadonlyArray<string> }>
}

/**
 * Keeps the packages that are installed with this one, and those that are bundled in it. pnpm marks the latter as
 * excluded, because they are development dependencies; `notices` is the text of the THIRD-PARTY-NOTICES that name them.
 */
export const ofPackage = (sbom: Sbom, notices: string): Sbom => {
  const bundled = new Set(notices.match(/^\S+ \S+(?= \(.*\)$)/gm))
  const components = sbom.components.flatMap((component) => {
    const { scope, properties, ...bare } = component
    if (scope !== "excluded") return [component]
    const name = component.group === undefined ? component.name : `${component.group}/${component.name}`
    return bundled.has(`${name} ${component.version}`) ? [bare] : []
  })
  const refs = new Set([sbom.metadata.component, ...components].map((component) => component["bom-ref"]))
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }))
  return { ...sbom, components, dependencies }
}
