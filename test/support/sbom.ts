import { text } from 'node:stream/consumers'

/** What `npm sbom` writes of each package that only the workshop uses. */
const DEVELOPMENT = 'cdx:npm:package:development'

interface Bom {
  components: { 'bom-ref': string; properties?: { name: string; value: string }[] }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

// Reads a bill of materials and writes the same without the packages of the workshop. `npm sbom --omit dev` also leaves out
// what both need: zod, of which a client for tests makes use as well.
const bom = JSON.parse(await text(process.stdin)) as Bom
const isDevelopment = ({ properties = [] }: Bom['components'][number]) =>
  properties.some(({ name, value }) => name === DEVELOPMENT && value === 'true')
const left = new Set(bom.components.filter(isDevelopment).map((one) => one['bom-ref']))
const dependencies = bom.dependencies
  .filter(({ ref }) => !left.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => !left.has(one)) }))
const components = bom.components.filter((one) => !left.has(one['bom-ref']))
process.stdout.write(`${JSON.stringify({ ...bom, components, dependencies }, null, 2)}\n`)
