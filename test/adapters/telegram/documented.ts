import { readFile, writeFile } from 'node:fs/promises'

const DOCS = new URL('../../../docs/telegram.md', import.meta.url)

/** What docs/telegram.md says between the marks of this name; with UPDATE_DOCS=1 it says `now` from now on. */
export async function documented(name: string, now: string): Promise<string> {
  const docs = await readFile(DOCS, 'utf8')
  const marks = new RegExp(`(<!-- ${name}:.*? -->\n)([^]*?)(<!-- /${name} -->)`)
  const [, , written] = marks.exec(docs) ?? []
  if (written === undefined) throw new Error(`docs/telegram.md has no place for ${name}`)
  if (!process.env['UPDATE_DOCS']) return written
  await writeFile(
    DOCS,
    docs.replace(marks, (_all, begin: string, _old, end: string) => `${begin}\n${now}\n\n${end}`),
  )
  return now
}
