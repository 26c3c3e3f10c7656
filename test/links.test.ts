import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import { readPages, withoutCode } from './support/pages.ts'

const pages = readPages()
const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Names of a page's headings as GitHub links them, the second of two equal ones with `-1`. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>()
  const names = [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const name = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-')
    const times = seen.get(name) ?? 0
    seen.set(name, times + 1)
    return times === 0 ? name : `${name}-${times}`
  })
  return new Set(names)
}

/** Links of a page that lead to nothing, among these pages. */
function brokenIn(path: string, page: string): string[] {
  const written = withoutCode(page).replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, '.'))
  const links = [
    ...written.matchAll(/\]\(([^)\s]+)\)/g),
    ...written.matchAll(/(?:href|src|srcset)="([^"]+)"/g),
  ]
  return links
    .map(([, link = '']) => link)
    .filter((link) => {
      if (/^(?:https?|mailto):/.test(link)) return false
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file))
      if (target !== path && !existsSync(at(target))) return true
      return (
        anchor !== undefined && !anchorsOf(target === path ? page : (pages.get(target) ?? '')).has(anchor)
      )
    })
}

test.each([...pages])('every link of %s leads somewhere', (path, page) => {
  expect(brokenIn(path, page)).toEqual([])
})

test('every page of docs is reached from the README', () => {
  const readme = pages.get('README.md') ?? ''
  const unreached = [...pages.keys()].filter(
    (path) => path.startsWith('docs/') && !readme.includes(`](${path}`),
  )
  expect(unreached).toEqual([])
})

/** Files that docs/adding.md invents. */
const INVENTED = /exposure|holdings|courier|acme|lake/

/** Files and scripts that a page names and that are not there. */
function missingIn(page: string): string[] {
  const { scripts } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const files = [...page.matchAll(/`((?:src|test|adapters|bench|deploy|docs|data)\/[\w./-]*)`/g)]
    .map(([, file = '']) => file)
    .filter((file) => !file.startsWith('data/') && !INVENTED.test(file) && !existsSync(at(file)))
  const named = [...page.matchAll(/\bnpm run (?:--silent )?([\w:]+)/g)].map(([, script = '']) => script)
  return [...files, ...named.filter((script) => !Object.hasOwn(scripts, script))]
}

test.each([...pages])('every file and script that %s names is there', (_path, page) => {
  expect(missingIn(page)).toEqual([])
})

test.each(['`src/nowhere.ts`', '`test/nowhere/`', '`npm run nowhere`'])('%s is missing', (page) => {
  expect(missingIn(page)).toHaveLength(1)
})

describe('a link is broken', () => {
  test.each([
    ['to a page that is not there', '[x](nowhere.md)'],
    ['to a heading that is not there', '[x](../README.md#nowhere)'],
    ['to a heading of its own that is not there', '# Here\n\n[x](#there)'],
    ['to a heading that stands in code', '[x](#here)\n\n```sh\n# Here\n```\n'],
    ['from a picture', '<img src="nowhere.svg">'],
  ])('%s', (_how, page) => {
    expect(brokenIn('docs/x.md', page)).toHaveLength(1)
  })

  test.each([
    ['to the web', '[x](https://example.com/nowhere)'],
    ['to the second of two equal headings', '# Here\n\n# Here\n\n[x](#here-1)'],
    ['in code', '`[x](nowhere.md)`'],
  ])('but not %s', (_how, page) => {
    expect(brokenIn('docs/x.md', page)).toEqual([])
  })
})
