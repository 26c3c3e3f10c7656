import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { type Assets, loadAssets } from '../../../../adapters/web/serve/assets.ts'
import { createScriptedBot } from '../../../contracts/adapter/scripted-bot.ts'
import { statusOf } from '../page.ts'
import { type Served, serve } from '../served.ts'

const FILES: Record<string, string> = {
  'index.html':
    '<!doctype html><html lang="{language}"><head><script type="module" src="{assets}/main.ts"></script></head></html>',
  'style.css': 'body { margin: 0 }',
  'main.ts': `import { html, type TemplateResult } from 'lit-html'
import { name } from './views/name.ts'
import type { Glance } from '../../../src/chat/holdings.ts'
/** A comment. */
const shown = (one: Pick<Glance, 'at'>): TemplateResult => html\`import "./no.ts" \${name(one)}\`
Reflect.set(globalThis, 'shownByPage', shown({ at: 7 }).values.join())
`,
  'views/name.ts': `import { classMap } from 'lit-html/directives/class-map.js'
import { of as whose, LABEL } from './of.ts'
// A comment.
export async function unused(): Promise<void> {}
export function name(one: { at: number }): string { return \`\${LABEL} \${one.at} \${whose(String(typeof classMap))}\` }
`,
  'views/of.ts': `export const LABEL = 'at'
const name = 'x'
export function of(type: string): string { return type === 'function' ? 'of ' + name : type }
`,
  'worker/worker.ts': 'const version: number = 1\nself.addEventListener("push", () => version)\n',
  'worker/tsconfig.json': '{}',
  'notes.md': 'nothing for browsers',
}
/** The little of a browser that lit-html asks for when it is loaded. */
const browser = `globalThis.document ??= { createComment() {}, createTreeWalker() {} };`
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
  test('are one script without types and comments, which runs as its modules would', async () => {
    const warned: unknown[] = []
    const warn = (warning: Error) => warned.push(warning.message)
    process.on('warning', warn)
    const assets = await load()
    const main = text(assets, `a/${assets.version}/main.ts`)
    expect(main).not.toMatch(/TemplateResult|Glance|A comment|\bimport *\{/)
    expect(main).toContain('html`import "./no.ts" ${name(one)}`')
    // Run as the browser runs it: a module by itself.
    const result: unknown = await import(`data:text/javascript,${encodeURIComponent(browser + main)}`)
    expect(result).toBeDefined()
    expect(Reflect.get(globalThis, 'shownByPage')).toBe('at 7 of x')
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
    for (const path of [
      'notes.md',
      'worker/tsconfig.json',
      'worker/worker.ts',
      'views/of.ts',
      'index.html',
      '../config.ts',
    ])
      expect(assets.at(`a/${assets.version}/${path}`)).toBeNull()
    expect(assets.at('worker.js')?.type).toBe('text/javascript; charset=utf-8')
    expect(text(assets, `a/${assets.version}/words/de.json`)).toBe('{"a":"c"}')
    const document = Buffer.from(assets.document('de')?.body ?? []).toString()
    expect(document).toContain('<html lang="de">')
    expect(document).toContain(`src="page/a/${assets.version}/main.ts"`)
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
    ['an import of another form', "import * as a from './views/of.ts'", 'another form'],
    ['an export of another form', 'export default 1', 'another form'],
    ['what Node cannot strip', 'enum A { B }', 'enum is not supported'],
  ])('cannot be served with %s', async (_name, script, why) => {
    write({ 'main.ts': `${script}\nexport const b = 1\n` })
    await expect(load()).rejects.toThrow(why)
    write(FILES)
  })
})

describe('a path', () => {
  let served: Served
  const got = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${served.url}${path}`, { redirect: 'manual', headers })
  const scriptIn = async (document: Response) => /src="(page\/a\/[^"]+)"/.exec(await document.text())?.[1]
  beforeAll(async () => {
    served = await serve({ files: pathToFileURL(`${folder}/`) })
    await served.open().start(createScriptedBot())
  })
  afterAll(() => served.close())

  test('of the document is asked each time, in the language of the browser, and costs nothing while it is the same', async () => {
    const german = await got('/page', { 'accept-language': 'de-AT,en;q=0.5' })
    expect(german.headers.get('cache-control')).toBe('no-cache')
    expect(german.headers.get('vary')).toBe('accept-language, accept-encoding')
    const etag = german.headers.get('etag') ?? ''
    expect(await german.text()).toContain('<html lang="de">')
    const same = await got('/page', { 'accept-language': 'de', 'if-none-match': etag })
    expect([same.status, await same.text()]).toEqual([304, ''])
    expect((await got('/page', { 'accept-language': 'en', 'if-none-match': etag })).status).toBe(200)
  })

  test('of a file is kept for ever, and is the same pressed or not', async () => {
    const path = `/${await scriptIn(await got('/page'))}`
    const [plain, pressed] = [await got(path, { 'accept-encoding': 'identity' }), await got(path)]
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect([plain, pressed].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip'])
    expect(await pressed.text()).toBe(await plain.text())
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  test('of the worker lets it speak for the whole page', async () => {
    const { headers } = await got('/page/worker.js')
    expect(headers.get('service-worker-allowed')).toBe('../page')
    expect(headers.get('cache-control')).toBe('no-cache')
  })

  test('of a page whose files could not be read is good as soon as they can be', async () => {
    const other = await serve({ files: pathToFileURL(`${folder}/later/`) })
    await other.open().start(createScriptedBot())
    const status = async () => (await fetch(`${other.url}/page`)).status
    expect(await status()).toBe(500)
    write(Object.fromEntries(Object.entries(FILES).map(([path, words]) => [`later/${path}`, words])))
    expect(await status()).toBe(200)
    rmSync(join(folder, 'later'), { recursive: true })
    await other.close()
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
    expect([400, 404]).toContain(await statusOf(served.url, path, { 'sec-fetch-site': 'same-origin' }))
  })
})
