import { code, imports, once, type Sources } from './sources.ts'

/** What main opens by name, and what it asks of their `config.ts` before. */
const PLUGS = [
  {
    home: 'adapters/',
    type: 'OpenConversation, OpenNotifier or OpenClient',
    declares: ['schema', 'isConfigured'],
  },
  { home: 'src/venues/', type: 'OpenVenue', declares: ['schema', 'isConfigured'] },
  { home: 'src/stores/', type: 'OpenStore', declares: ['schemes'] },
] as const

/** Alert kinds and commands live by being in their list: what a file exports says that it is one. */
export function unlisted(sources: Sources): string[] {
  const listed = new Set(imports(sources).map(({ from, to }) => `${from} ${to}`))
  return [...sources].flatMap(([path, text]) => {
    if (!isListed(path, text)) return []
    const list = `${path.split('/', 2).join('/')}/index.ts`
    return listed.has(`${list} ${path}`) ? [] : [`${path} is not in ${list}`]
  })
}

/** A kind of alert or a command, each in a file of its own. */
export function isListed(path: string, text: string): boolean {
  return /^src\/(alerts|commands)\/(?!index\.ts$)/.test(path) && isPlug(text)
}

const isPlug = once((text) => /^export (?:default\b|function \w+Command\()/m.test(code(text)))

/** What main opens by name has the two files that it asks for. */
export function misshapen(sources: Sources): string[] {
  const folders = [...sources.keys()].flatMap(
    (path) => /^(?:adapters|src\/venues(?!\/(?:http|several)\/)|src\/stores)\/[^/]+(?=\/)/.exec(path) ?? [],
  )
  const exportsOf = (path: string, what: RegExp) => what.test(code(sources.get(path) ?? ''))
  return [...new Set(folders)].flatMap((folder) => {
    const [index, config] = [`${folder}/index.ts`, `${folder}/config.ts`]
    const { type, declares } = PLUGS.find(({ home }) => folder.startsWith(home)) ?? PLUGS[0]
    const missing: string[] = []
    if (
      !exportsOf(
        index,
        new RegExp(`^export default [\\s\\S]*\\bsatisfies (?:${type.replace(/, | or /g, '|')})\\b`, 'm'),
      )
    ) {
      missing.push(`${index} has no default export that satisfies ${type}`)
    }
    // What is kept can be copied, and made anew of a copy.
    const backups = `${folder}/backups.ts`
    if (type === 'OpenStore' && !exportsOf(backups, /^export default [\s\S]*\bsatisfies OpenBackups\b/m)) {
      missing.push(`${backups} has no default export that satisfies OpenBackups`)
    }
    for (const name of declares) {
      const exported = new RegExp(`^export (?:const|function) ${name}\\b`, 'm')
      if (!exportsOf(config, exported)) missing.push(`${config} exports no ${name}`)
    }
    return missing
  })
}

/** With nothing configured one venue is opened in one chat. */
export function fallbacks(sources: Sources): string[] {
  return ['adapters', 'src/venues'].flatMap((home) => {
    const all = [...sources].flatMap(([path, text]) =>
      new RegExp(`^${home}/[^/]+/config\\.ts$`).test(path) &&
      /^export const fallback = true$/m.test(code(text))
        ? [path]
        : [],
    )
    return all.length === 1 ? [] : [`${home}: not one is the fallback, but ${all.join(', ') || 'none'}`]
  })
}
