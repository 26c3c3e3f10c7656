import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { describe, expect, test } from 'vitest'

import { type LevelKind, USUAL_HOLD_MS } from '../src/alert/alert.ts'
import { violations } from './support/architecture.ts'
import { along, paramsOf } from './support/kinds.ts'
import { filesToAdd, shownIn, shownToAdd } from './support/shown.ts'
import { readSources } from './support/sources.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

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

/** What a file of the page exports, as if it stood among ours. */
async function imported<T>(path: string, text: string): Promise<T> {
  const found = (name: string) =>
    name.startsWith('.') ? pathToFileURL(join(ROOT, dirname(path), name)).href : import.meta.resolve(name)
  const script = stripTypeScriptTypes(text).replace(
    / from '(.+)'/g,
    (_from, name: string) => ` from '${found(name)}'`,
  )
  return ((await import(`data:text/javascript,${encodeURIComponent(script)}`)) as { default: T }).default
}

const shown = shownToAdd()
const files = filesToAdd()

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

  test('shows a kind that says what does not tremble', async () => {
    const path = 'src/alerts/position/exposure.ts'
    const kind = await imported<LevelKind<unknown>>(path, files.get(path) ?? '')
    for (const price of [1, 2_500, 100_000]) {
      const verdict = kind.judge(paramsOf(kind)[0], along('position', 'price', price, [price]))
      if (verdict === 'unknown') throw new Error('the price is known')
      expect(verdict.beyond === undefined).toBe(kind.holdMs !== USUAL_HOLD_MS)
    }
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
