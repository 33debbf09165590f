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
 * Of `all`, which has development dependencies too, keeps the packages of `installed`, which has none, and those that are
 * bundled: `notices` is the text of the THIRD-PARTY-NOTICES that name them.
 */
export const ofPackage = (all: Sbom, installed: Sbom, notices: string): Sbom => {
  const bundled = new Set(notices.match(/^\S+ \S+(?= \(.*\)$)/gm))
  const own = new Set(installed.components.map((component) => component["bom-ref"]))
  const components = all.components.flatMap((component) => {
    // pnpm marks development dependencies as excluded, but what is bundled is not.
    const { scope: _, properties: __, ...bare } = component
    const name = component.group === undefined ? component.name : `${component.group}/${component.name}`
    return own.has(component["bom-ref"]) || bundled.has(`${name} ${component.version}`) ? [bare] : []
  })
  const refs = new Set([all.metadata.component, ...components].map((component) => component["bom-ref"]))
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }))
  return { ...all, components, dependencies }
}
