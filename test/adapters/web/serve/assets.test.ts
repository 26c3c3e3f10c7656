import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { type Assets, loadAssets } from '../../../../adapters/web/serve/assets.ts'
import { createScriptedBot } from '../../../contracts/adapter/scripted-bot.ts'
import { type Served, serve } from '../served.ts'

const FILES: Record<string, string> = {
  'index.html':
    '<!doctype html><html lang="{language}"><head><script type="module" src="{assets}/main.ts"></script></head></html>',
  'style.css': 'body { margin: 0 }',
  'main.ts': `import { html, type TemplateResult } from 'lit-html'
import { name } from './views/name.ts'
import type { Glance } from '../../../src/chat/holdings.ts'
export const shown = (one: Glance): TemplateResult => html\`import "./no.ts" \${name(one)}\`
`,
  'views/name.ts': `import { classMap } from 'lit-html/directives/class-map.js'
export function name(one: { at: number }): string { return String(one.at) + String(classMap) }
`,
  'worker/worker.ts': 'const version: number = 1\nself.addEventListener("push", () => version)\n',
  'worker/tsconfig.json': '{}',
  'notes.md': 'nothing for browsers',
}
const folder = mkdtempSync(join(tmpdir(), 'perch-page-'))
const write = (files: Record<string, string>) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
const load = () => loadAssets({ en: '{"a":"b"}', de: '{"a":"c"}' }, pathToFileURL(`${folder}/`))
const text = (assets: Assets, path: string) => Buffer.from(assets.at(path)?.body ?? []).toString()

beforeAll(() => write(FILES))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the files of the page', () => {
  test('are scripts without types, whose imports lead to files that are there', async () => {
    const warned: unknown[] = []
    const warn = (warning: Error) => warned.push(warning.message)
    process.on('warning', warn)
    const assets = await load()
    const home = `a/${assets.version}`
    const main = text(assets, `${home}/main.ts`)
    expect(main).not.toMatch(/TemplateResult|Glance/)
    expect(main).toContain('html`import "./no.ts" ${name(one)}`')
    const paths = (of: string) =>
      [...text(assets, of).matchAll(/^import\s*\{[^}]*\}\s*from\s*["']([^"']+)["']/gm)].map(([, path = '']) =>
        new URL(path, `http://perch/${of}`).pathname.slice(1),
      )
    expect(paths(`${home}/main.ts`)).toEqual([`${home}/lib/lit-html/lit-html.js`, `${home}/views/name.ts`])
    const queue = paths(`${home}/main.ts`)
    for (const path of queue) {
      expect(assets.at(path)?.type, path).toBe('text/javascript; charset=utf-8')
      queue.push(...paths(path).filter((one) => !queue.includes(one)))
    }
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', warn)
    expect(warned).toEqual([])
  })

  test('are pressed once, and are the same when unpacked', async () => {
    const assets = await load()
    const style = assets.at(`a/${assets.version}/style.css`)
    expect(gunzipSync(style?.zipped ?? Buffer.alloc(0)).toString()).toBe(FILES['style.css'])
  })

  test('are those for browsers alone, in a version of their own', async () => {
    const assets = await load()
    for (const path of ['notes.md', 'worker/tsconfig.json', 'worker/worker.ts', 'index.html', '../config.ts'])
      expect(assets.at(`a/${assets.version}/${path}`)).toBeNull()
    expect(assets.at('worker.js')?.type).toBe('text/javascript; charset=utf-8')
    expect(text(assets, `a/${assets.version}/words/de.json`)).toBe('{"a":"c"}')
    const document = Buffer.from(assets.document('de')?.body ?? []).toString()
    expect(document).toContain('<html lang="de">')
    expect(document).toContain(`src="page/a/${assets.version}/main.ts"`)
    expect(document).toContain(`<link rel="modulepreload" href="page/a/${assets.version}/views/name.ts" />`)
    expect(document).not.toContain('href="page/worker.js"')
    expect(assets.document('fr')).toBeNull()

    write({ 'style.css': 'body { margin: 1px }' })
    const next = await load()
    write(FILES)
    expect(next.version).not.toBe(assets.version)
    expect(next.at(`a/${assets.version}/style.css`)).toBeNull()
  })

  test.each([
    ['a package that is not there', "import { a } from 'no-such-package'", 'Cannot find package'],
    ['a module of Node', "import { a } from 'node:fs'", 'which no browser has'],
    ['a file that is not there', "import { a } from './missing.ts'", 'ENOENT'],
    ['what Node cannot strip', 'enum A { B }', 'enum is not supported'],
  ])('cannot be served with %s', async (_name, script, why) => {
    write({ 'main.ts': `${script}\nexport const b = 1\n` })
    await expect(load()).rejects.toThrow(why)
    write(FILES)
  })
})

describe('a path', () => {
  let served: Served
  beforeAll(async () => {
    served = await serve({ files: pathToFileURL(`${folder}/`) })
    await served.open().start(createScriptedBot())
  })
  afterAll(() => served.close())
  /** As it stands: a URL would take the dots out. */
  const statusOf = (path: string) =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(served.url)
      const asked = request({ hostname, port, path, headers: { 'sec-fetch-site': 'none' } }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      asked.on('error', reject).end()
    })

  test.each([
    '/page/a/../../config.ts',
    '/page/a/x/%2e%2e/%2e%2e/config.ts',
    '/page/a/x/..%2f..%2fconfig.ts',
    '/page/a//etc/passwd',
    '/page/a/x/..\\..\\config.ts',
    '/page/a/__proto__',
    '/page/a/',
    '/page/x/../../etc/passwd',
  ])('leads to no file of the machine: %s', async (path) => {
    expect([400, 403, 404]).toContain(await statusOf(path))
  })
})
