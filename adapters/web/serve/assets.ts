import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { findPackageJSON, isBuiltin, stripTypeScriptTypes } from 'node:module'
import { posix } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import { bundled, importsOf, type Module } from './bundle.ts'

/** A file of the page as it is sent. */
export interface Asset {
  type: string
  body: Uint8Array
  zipped: Uint8Array
  etag: string
}

/** Everything that the page consists of. It holds no data of anybody. */
export interface Assets {
  /** A hash of all files: their addresses contain it, so browsers keep them for ever. */
  version: string
  /** The document in this language. */
  document(language: string): Asset | null
  /** By the path behind `/page/`, such as `a/<version>/main.ts`. */
  at(path: string): Asset | null
}

/** Words of the page, as files by language: `words/en.json`. */
export type WordFiles = Readonly<Record<string, string>>

const START = 'main.ts'
/** A service worker speaks for paths below its own, so it is served beside the page. */
const WORKER = 'worker/worker.ts'
const WORKER_PATH = 'worker.js'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  ts: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
}
const zip = promisify(gzip)

/** Reads, strips and compresses all files of the page at `home`. Rejects where one cannot be read or stripped. */
export async function loadAssets(words: WordFiles, home: URL): Promise<Assets> {
  const files = await readAll(words, home)
  const digests = [...files].map(([path, bytes]) => `${path} ${hash('sha256', bytes)}`)
  const version = hash('sha256', digests.toSorted().join('\n')).slice(0, 16)
  const assets = new Map<string, Asset>()
  for (const [path, bytes] of files) {
    if (path !== 'index.html')
      assets.set(path === WORKER ? WORKER_PATH : `a/${version}/${path}`, await assetOf(path, bytes))
  }
  const template = files.get('index.html')?.toString() ?? ''
  const documents = new Map<string, Asset>()
  for (const language of Object.keys(words)) {
    const html = template.replaceAll('{assets}', `page/a/${version}`).replaceAll('{language}', language)
    documents.set(language, await assetOf('index.html', Buffer.from(html)))
  }
  return {
    version,
    document: (language) => documents.get(language) ?? null,
    at: (path) => assets.get(path) ?? null,
  }
}

/** The bytes of each file by its path in the browser. */
async function readAll(words: WordFiles, home: URL): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  for (const [language, text] of Object.entries(words)) files.set(`words/${language}.json`, Buffer.from(text))
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    const url = pathToFileURL(posix.join(entry.parentPath, entry.name))
    const path = fileURLToPath(url).slice(fileURLToPath(home).length)
    const [, ending = ''] = /\.(\w+)$/.exec(path) ?? []
    if (entry.isFile() && !path.endsWith('tsconfig.json') && ending !== 'ts' && ending in TYPES)
      files.set(path, ending === 'css' ? shortSheet(await readFile(url, 'utf8')) : await readFile(url))
  }
  for (const start of [START, WORKER]) {
    const modules = new Map<string, Module | null>()
    await readModule(new URL(start, home), modules)
    files.set(start, Buffer.from(bundled([...modules.values()].filter((one) => one !== null))))
  }
  return files
}

/** Reads a module behind all that it imports. */
async function readModule(url: URL, modules: Map<string, Module | null>): Promise<void> {
  const key = url.href
  if (modules.has(key)) return
  modules.set(key, null)
  const source = await readFile(url, 'utf8')
  const script = url.pathname.endsWith('.ts')
    ? shortened(stripped(source))
    : source.replace(/^\/\/# sourceMappingURL=.*$/m, '')
  const urls = importsOf(script).map((words) => [words, resolved(words, url)] as const)
  for (const [, to] of urls) await readModule(to, modules)
  modules.delete(key)
  modules.set(key, { key, script, imports: new Map(urls.map(([words, to]) => [words, to.href])) })
}

/** Where an import leads, in this project or in a package for browsers. */
function resolved(name: string, from: URL): URL {
  if (name.startsWith('.')) return new URL(name, from)
  const [packageName = '', ...rest] = name.split('/')
  if (isBuiltin(name)) throw new Error(`the page imports ${name}, which no browser has`)
  // Throws for a package that is not installed.
  const found = findPackageJSON(packageName, import.meta.url) ?? ''
  return new URL(rest.join('/') || `${packageName}.js`, pathToFileURL(found))
}

async function assetOf(path: string, body: Buffer): Promise<Asset> {
  const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  const zipped = await zip(body, { level: 9 })
  return { type, body, zipped, etag: `"${hash('sha256', body).slice(0, 16)}"` }
}

/** Removes comments that have lines of their own, and the blanks at both ends of lines. Templates are markup, where no more than one blank counts. */
function shortened(script: string): string {
  return script
    .replace(/^[ \t]*\/\*\*[^]*?\*\/[ \t]*$/gm, '')
    .replace(/^[ \t]*\/\/.*$/gm, '')
    .replace(/^[ \t]+|[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
}

/** A style sheet without comments and without the blanks before its lines. */
function shortSheet(sheet: string): Buffer {
  return Buffer.from(sheet.replace(/\/\*[^]*?\*\//g, '').replace(/^\s+/gm, ''))
}

/** Removes the types, as Node does for the program itself. Node warns of the function once: that one warning is left out. */
function stripped(source: string): string {
  const { emitWarning } = process
  const heard = (warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).startsWith('stripTypeScriptTypes is an experimental feature')) return
    Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  process.emitWarning = heard
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}
