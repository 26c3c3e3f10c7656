import { readFile, writeFile } from 'node:fs/promises'

import { expect } from 'vitest'

const PAGE = new URL('../../../docs/discord.md', import.meta.url)

/** A part of docs/discord.md that a test writes with UPDATE_DOCS=1. */
async function part(name: string): Promise<{ shown: string; replace(text: string): Promise<void> }> {
  const page = await readFile(PAGE, 'utf8')
  const [begins, ends] = [`<!-- ${name} begins -->\n`, `<!-- ${name} ends -->\n`]
  const [before = '', rest = ''] = page.split(begins)
  const [shown = '', after = ''] = rest.split(ends)
  return { shown, replace: (text) => writeFile(PAGE, `${before}${begins}${text}${ends}${after}`) }
}

/** What stands there must be this. */
export async function comparePart(name: string, told: string): Promise<void> {
  const { shown, replace } = await part(name)
  if (process.env['UPDATE_DOCS']) return replace(told)
  expect(shown, 'docs/discord.md is out of date: UPDATE_DOCS=1 npx vitest run test/adapters/discord').toBe(
    told,
  )
}

/** Figures that may differ by the turn at which discord.js asks again, so only their names must agree. */
export async function writeTable(name: string, head: string[], rows: string[][]): Promise<void> {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  const { shown, replace } = await part(name)
  if (process.env['UPDATE_DOCS']) {
    await replace([head, head.map(() => '---'), ...rows].map(line).join(''))
    return
  }
  for (const [what = ''] of rows) expect(shown).toContain(`| ${what} |`)
}
