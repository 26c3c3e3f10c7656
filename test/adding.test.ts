import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import { violations } from './support/architecture.ts'
import { readSources } from './support/sources.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface Shown {
  /** Which file it stands for; null when the page does not say. */
  path: string | null
  text: string
}

/** What a page shows as TypeScript; the words right before it end with the path of the file: "The whole of `a.ts`:". */
function shownIn(page: string): Shown[] {
  return [...page.matchAll(/([^\n]*)\n+```ts\n(.*?)```/gs)].map(([, before = '', text = '']) => ({
    path: /`([\w./-]+\.ts)`:$/.exec(before)?.[1] ?? null,
    text,
  }))
}

/** What the type checker says when these files stand among ours. */
async function compiled(files: ReadonlyMap<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'perch-adding-'))
  try {
    symlinkSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      // Both as one tree: what is not there is looked for here.
      compilerOptions: { rootDirs: [folder, ROOT] },
      files: [...files.keys()],
      include: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const checker = spawn(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder])
    let said = ''
    checker.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    checker.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await once(checker, 'close')
    return said
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const shown = shownIn(readFileSync(join(ROOT, 'docs/adding.md'), 'utf8'))
const files = new Map(shown.flatMap(({ path, text }) => (path === null ? [] : [[path, text] as const])))

describe('docs/adding.md', () => {
  test('names the file that each whole example stands for', () => {
    expect(shown.filter(({ path, text }) => path === null && /^import /m.test(text))).toEqual([])
    for (const folder of ['src/alerts/', 'src/commands/', 'adapters/', 'src/venues/', 'src/stores/']) {
      expect([...files.keys()].filter((path) => path.startsWith(folder))).not.toEqual([])
    }
  })

  test('shows what compiles', { timeout: 60_000 }, async () => {
    expect(await compiled(files)).toBe('')
  })

  test('shows what keeps our rules, but for the lists in which kinds, commands and writes stand', () => {
    const ours = readSources()
    const usual = new Set(violations(ours))
    const told = violations(new Map([...ours, ...files])).filter((one) => !usual.has(one))
    const elsewhere = / is not in src\/(alerts|commands)\/index\.ts$|writer\.ts is missing/
    expect(told.filter((one) => !elsewhere.test(one))).toEqual([])
  })
})

describe('an example that rots is told', { timeout: 60_000 }, () => {
  test('with the file that it stands for', async () => {
    const page =
      'The whole of `src/alerts/market/x.ts`:\n\n```ts\nimport { nobody } from "../../alert/alert.ts"\nnobody()\n```\n'
    const [example] = shownIn(page)
    expect(example?.path).toBe('src/alerts/market/x.ts')
    expect(await compiled(new Map([['src/alerts/market/x.ts', example?.text ?? '']]))).toMatch(
      /src\/alerts\/market\/x\.ts.*has no exported member 'nobody'/s,
    )
  })
})
