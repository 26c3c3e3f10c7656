import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { findPackageJSON, isBuiltin, stripTypeScriptTypes } from 'node:module'
import { posix } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

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

/** Sources that the page shares with the program, such as the chart. */
const SHARED = new URL('../../../src/', import.meta.url)
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
  const packed = await readAll(words, home)
  const digests = [...packed].map(([path, { bytes }]) => `${path} ${hash('sha256', bytes)}`)
  const version = hash('sha256', digests.toSorted().join('\n')).slice(0, 16)
  const servedAt = (path: string) => (path === WORKER ? WORKER_PATH : `a/${version}/${path}`)
  const assets = new Map<string, Asset>()
  for (const [path, { bytes, imports }] of packed) {
    if (path === 'index.html') continue
    const body =
      imports === null ? bytes : Buffer.from(linked(bytes.toString(), servedAt(path), imports, servedAt))
    assets.set(servedAt(path), await assetOf(path, body))
  }
  // The browser loads all modules at once instead of one import after the other.
  const modules = [...packed].flatMap(([path, { imports }]) => (imports && path !== WORKER ? [path] : []))
  const preloads = modules.map((path) => `<link rel="modulepreload" href="page/${servedAt(path)}" />`)
  const template = packed.get('index.html')?.bytes.toString() ?? ''
  const documents = new Map<string, Asset>()
  for (const language of Object.keys(words)) {
    const html = template
      .replaceAll('{assets}', `page/a/${version}`)
      .replaceAll('{language}', language)
      .replace('</head>', `${preloads.join('')}</head>`)
    documents.set(language, await assetOf('index.html', Buffer.from(html)))
  }
  return {
    version,
    document: (language) => documents.get(language) ?? null,
    at: (path) => assets.get(path) ?? null,
  }
}

/** A file by its path in the browser. `imports`: the paths of other files, by the words of each import. */
interface Packed {
  bytes: Buffer
  imports: ReadonlyMap<string, string> | null
}

async function readAll(words: WordFiles, home: URL): Promise<Map<string, Packed>> {
  const packed = new Map<string, Packed>()
  for (const [language, text] of Object.entries(words))
    packed.set(`words/${language}.json`, { bytes: Buffer.from(text), imports: null })
  const entries = await readdir(home, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const url = pathToFileURL(posix.join(entry.parentPath, entry.name))
    const path = fileURLToPath(url).slice(fileURLToPath(home).length)
    const [, ending = ''] = /\.(\w+)$/.exec(path) ?? []
    if (entry.isFile() && !path.endsWith('tsconfig.json') && ending !== 'ts' && ending in TYPES)
      packed.set(path, { bytes: await readFile(url), imports: null })
  }
  for (const start of [START, WORKER]) await readModule(new URL(start, home), home, packed)
  return packed
}

/** Reads a module and all that it imports. */
async function readModule(url: URL, home: URL, packed: Map<string, Packed>): Promise<void> {
  const path = browserPath(url, home)
  if (packed.has(path)) return
  const source = await readFile(url, 'utf8')
  const script = url.pathname.endsWith('.ts')
    ? shortened(stripped(source))
    : source.replace(/^\/\/# sourceMappingURL=.*$/m, '')
  const urls = new Map([...script.matchAll(IMPORT)].map(([, , , name = '']) => [name, resolved(name, url)]))
  const imports = new Map([...urls].map(([name, to]) => [name, browserPath(to, home)]))
  packed.set(path, { bytes: Buffer.from(script), imports })
  for (const to of urls.values()) await readModule(to, home, packed)
}

/** The words before a specifier, its quotation mark, and the specifier. */
const IMPORT = /((?:^|[;}\n])\s*(?:import|export)\b(?:[\w$*{},\s]*?\bfrom\b)?\s*)(["'])([^"'\n]+)\2/g

/** Where an import leads, in this project or in a package for browsers. */
function resolved(name: string, from: URL): URL {
  if (name.startsWith('.')) return new URL(name, from)
  const [packageName = '', ...rest] = name.split('/')
  if (isBuiltin(name)) throw new Error(`the page imports ${name}, which no browser has`)
  // Throws for a package that is not installed.
  const found = findPackageJSON(packageName, import.meta.url) ?? ''
  return new URL(rest.join('/') || `${packageName}.js`, pathToFileURL(found))
}

/** The path of a module in the browser: those of the page keep theirs, and others have a folder of their own. */
function browserPath(url: URL, page: URL): string {
  for (const [home, folder] of [
    [page, ''],
    [SHARED, 'src/'],
  ] as const)
    if (url.href.startsWith(home.href)) return `${folder}${url.href.slice(home.href.length)}`
  const [, inPackage] = /\/node_modules\/(.+\.js)$/.exec(url.pathname) ?? []
  if (inPackage === undefined)
    throw new Error(`the page imports ${url.pathname.split('/').at(-1)}, which is not for browsers`)
  return `lib/${inPackage}`
}

/** The script with the addresses of its imports in the browser. */
function linked(
  script: string,
  own: string,
  imports: ReadonlyMap<string, string>,
  servedAt: (path: string) => string,
): string {
  return script.replace(IMPORT, (whole, before: string, quote: string, name: string) => {
    const to = imports.get(name)
    if (to === undefined) return whole
    const relative = posix.relative(posix.dirname(own), servedAt(to))
    return `${before}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`
  })
}

async function assetOf(path: string, body: Buffer): Promise<Asset> {
  const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  const zipped = await zip(body, { level: 9 })
  return { type, body, zipped, etag: `"${hash('sha256', body).slice(0, 16)}"` }
}

/** Removes comments that have lines of their own, and what a removed type has left at the end of a line. */
function shortened(script: string): string {
  return script
    .replace(/^[ \t]*\/\*\*[^]*?\*\/[ \t]*$/gm, '')
    .replace(/^[ \t]*\/\/.*$/gm, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
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
