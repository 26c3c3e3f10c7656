import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PARTS = ['src', 'adapters', 'data', 'package.json']
/** Columns that the writer names, and what a newer Perch calls them. */
const [COLUMN, RENAMED] = ['hold_ms', 'held_for_ms']
const WRITERS = ['columns.ts', 'writer.ts']

/** What a newer Perch has that this one does not know. */
export type News = 'a column of another name' | 'a newer form of entries'

/** Makes the program of a newer Perch in this folder, and returns its main file. */
export function makeNewer(folder: string, news: readonly News[]): string {
  mkdirSync(folder, { recursive: true })
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  if (news.includes('a column of another name')) renameColumn(join(folder, 'src/stores/sqlite'))
  if (news.includes('a newer form of entries'))
    change(join(folder, 'src/stores/journal/encode.ts'), /(?<=FORM = )\d+/g, (form) =>
      String(Number(form) + 1),
    )
  return join(folder, 'src/main.ts')
}

function renameColumn(sqlite: string): void {
  const migrations = join(sqlite, 'migrations')
  const last = readdirSync(migrations).toSorted().at(-1) ?? ''
  const next = String(Number(last.slice(0, 3)) + 1).padStart(3, '0')
  const sql = `ALTER TABLE rules RENAME COLUMN ${COLUMN} TO ${RENAMED};\n`
  writeFileSync(join(migrations, `${next}-renamed.sql`), sql)
  for (const file of WRITERS) change(join(sqlite, file), new RegExp(`\\b${COLUMN}\\b`, 'g'), () => RENAMED)
}

/** Throws if there is nothing to change: then this test no longer tests anything. */
function change(file: string, what: RegExp, to: (found: string) => string): void {
  const before = readFileSync(file, 'utf8')
  const after = before.replaceAll(what, to)
  if (after === before) throw new Error(`${file} has no ${String(what)}`)
  writeFileSync(file, after)
}
