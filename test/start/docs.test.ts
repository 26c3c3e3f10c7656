import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'
import { z } from 'zod'

import { choices, core } from '../../src/start/config.ts'

const ROOT = new URL('../../', import.meta.url)
const PAGE = new URL('docs/configuration.md', ROOT)

const HEAD = `# Configuration

Every environment variable that Perch reads, with its default. Perch also reads them from a file \`.env\` in its folder;
variables of the environment win.

\`\`\`sh
# .env
VENUE=hyperliquid
TELEGRAM_BOT_TOKEN=7700000001:AA…
HEARTBEAT_URL=https://hc-ping.com/your-uuid
\`\`\`

* Perch reports all mistakes at once and doesn't start, with exit code 2.
* A misspelled variable (\`VENUE_ULR\`) stops the start, so a typo can't be ignored silently. So does any unknown variable
  that begins with a word of ours, such as \`SIM_\` or \`OWNER_\`.
* An empty variable counts as unset.
* Secrets are never printed or logged.
* A bold name is required where its part is used.

`

const FOOT = `## How to change this page

The tables are made from the zod schemas in the files that they name. Change a schema or its description, then write this
page with \`UPDATE_DOCS=1 npx vitest run test/start/docs.test.ts\`. A variable without a description fails that test.
`

interface Variable {
  default?: string
  usual?: string
  description?: string
}

interface Group {
  title: string
  file: string
  schema: z.ZodType
}

/** Titles of the folders that declare variables. */
const TITLES: Readonly<Record<string, string>> = {
  'perps-data': 'A venue with the perpetuals trading data API',
  hyperliquid: 'Hyperliquid',
  lighter: 'Lighter',
  sim: 'The simulated venue',
  discord: 'Discord',
  telegram: 'Telegram',
  ntfy: 'ntfy',
  pushover: 'Pushover',
  web: 'The page',
  webhook: 'Webhooks',
  push: 'Notifications in browsers',
}
/** Pages about a folder that bears another name. */
const PAGES: Readonly<Record<string, string>> = {
  sim: 'venue.md',
  web: 'page.md',
  ntfy: 'away.md',
  pushover: 'away.md',
  webhook: 'away.md',
  push: 'away.md',
}

async function groupsIn(folder: string): Promise<Group[]> {
  const groups: Group[] = []
  for (const name of readdirSync(new URL(folder, ROOT)).toSorted()) {
    const file = `${folder}${name}/config.ts`
    if (!existsSync(new URL(file, ROOT))) continue
    const { schema } = (await import(fileURLToPath(new URL(file, ROOT)))) as { schema?: z.ZodType }
    if (schema) groups.push({ title: TITLES[name] ?? name, file, schema })
  }
  return groups
}

function variablesOf(schema: z.ZodType): [name: string, variable: Variable, isRequired: boolean][] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, variable]) => [
    name,
    variable as Variable,
    required.includes(name),
  ])
}

function table({ title, file, schema }: Group): string {
  const rows = variablesOf(schema).map(([name, { default: value, usual, description = '' }, isRequired]) => {
    const shown = usual ?? (value === undefined || value === '' ? '–' : `\`${value}\``)
    return `| ${isRequired ? `**\`${name}\`**` : `\`${name}\``} | ${shown} | ${description} |`
  })
  if (rows.length === 0) return ''
  const [, folder = ''] = /(\w[\w-]*)\/config\.ts$/.exec(file) ?? []
  const page = PAGES[folder] ?? `${folder}.md`
  const more = existsSync(new URL(`docs/${page}`, ROOT)) ? ` More in [${page}](${page}).` : ''
  const head = `## ${title}\n\nRead in \`${file}\`.${more}\n\n| variable | default | meaning |\n|---|---|---|`
  return `${head}\n${rows.join('\n')}\n\n`
}

const groups: Group[] = [
  { title: 'What Perch opens', file: 'src/start/config.ts', schema: choices },
  { title: 'The bot', file: 'src/start/config.ts', schema: core },
  ...(await groupsIn('src/venues/')),
  ...(await groupsIn('adapters/')),
]

test('each variable says what it means, in a sentence', () => {
  const silent = groups.flatMap(({ file, schema }) =>
    variablesOf(schema)
      .filter(([, { description = '' }]) => !/^\S.*\.$/s.test(description))
      .map(([name]) => `${file}: ${name}`),
  )
  expect(silent).toEqual([])
})

test('docs/configuration.md shows each variable as its schema has it', () => {
  const page = `${HEAD}${groups.map(table).join('')}${FOOT}`
  if (process.env['UPDATE_DOCS']) writeFileSync(PAGE, page)
  expect(readFileSync(PAGE, 'utf8')).toBe(page)
})
