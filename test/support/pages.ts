import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { sentencesAmong } from './comments.ts'

const ROOT = new URL('../../', import.meta.url)
const FENCED = /^( *)```[^]*?^\1```$/gm
/** Tests write these parts of a page, and what they show is checked elsewhere. */
const WRITTEN = /<!-- (\w[\w -]*?) begins -->[^]*?<!-- \1 ends -->|<!-- (\w+):[^]*?<!-- \/\2 -->/g

/** The pages that people read in the repository: path → text. */
export function readPages(): ReadonlyMap<string, string> {
  const docs = readdirSync(new URL('docs/', ROOT)).filter((name) => name.endsWith('.md'))
  const paths = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'data/README.md']
  return new Map(
    [...paths, ...docs.map((name) => `docs/${name}`)].map((path) => [
      path,
      readFileSync(fileURLToPath(new URL(path, ROOT)), 'utf8'),
    ]),
  )
}

/** Returns the page without code, which holds neither sentences nor links. */
export function withoutCode(page: string): string {
  return page.replaceAll(FENCED, '')
}

/** Returns the sentences of a page: neither code, nor tables, nor parts that tests write. */
export function sentencesIn(page: string): string[] {
  const prose = withoutCode(page.replaceAll(WRITTEN, ''))
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/^ *\|.*$/gm, '')
    .replaceAll(/^#+ (.*)$/gm, '\n$1\n')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)/g, '')
  return sentencesAmong(prose.replaceAll(/^ +/gm, ''))
}
