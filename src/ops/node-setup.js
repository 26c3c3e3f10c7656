// JavaScript, because Node loads its type stripper, 50 ms, for the first TypeScript file that no cache holds.
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { setFlagsFromString } from 'node:v8'

/**
 * V8 lets the heap grow to several times its used size before it collects, and does not return the memory. A start or
 * one busy minute would enlarge the process for ever. From here on it collects sooner, at the price of some processor
 * time under load.
 */
export function keepHeapSmall() {
  // The young generation stays as it is; under load it would grow to 16 MB a half. Sizes can be set on the command line
  // alone: `npm start` asks for 8 MB, and V8 begins with 1. The old generation may grow by three tenths before it is
  // collected.
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=30')
}

const OWN_ONLY = 0o700
const OTHERS_WRITE = 0o022

/**
 * Returns the folder if this user alone can write there; null to do without it. Node runs the code that it finds there, so
 * no other user of the machine may leave any, whichever umask is set.
 *
 * @param {string} folder
 * @returns {string | null}
 */
export function privateFolder(folder) {
  try {
    if (process.platform === 'win32') return folder
    const found = lstatSync(folder, { throwIfNoEntry: false })
    const isForeign = found !== undefined && found.uid !== process.getuid?.()
    if (isForeign || found?.isSymbolicLink()) return null
    // Somebody may have left something there already.
    if (found && (found.mode & OTHERS_WRITE) !== 0) rmSync(folder, { recursive: true })
    mkdirSync(folder, { recursive: true, mode: OWN_ONLY })
    chmodSync(folder, OWN_ONLY)
    return folder
  } catch {
    return null
  }
}

/**
 * From here on an import of a file below `root`, the URL of a folder, is found by its name alone. Node asks the disk several
 * times where a file is and what it holds. That takes a quarter of a start, and our imports name their file to the letter.
 *
 * @param {string} root
 */
export function resolveByName(root) {
  /** @type {Map<string, import('node:module').ResolveFnOutput>} */
  const packages = new Map()
  // Each of its files imports many others, and all of them are modules.
  const zod = `${root}node_modules/zod/`
  registerHooks({
    resolve(specifier, context, next) {
      const { conditions, parentURL } = context
      if (!parentURL?.startsWith(root) || !conditions.includes('import')) return next(specifier, context)
      if (specifier.startsWith('.')) {
        if (isOurs(root, parentURL))
          return specifier.endsWith('.ts')
            ? { url: joined(parentURL, specifier), format: 'module-typescript', shortCircuit: true }
            : next(specifier, context)
        if (!parentURL.startsWith(zod) || !specifier.endsWith('.js')) return next(specifier, context)
        // Sentences of zod in sixty languages, each a file. Nobody reads them: every schema has its own.
        const name = specifier === '../locales/index.js' ? '../locales/en.js' : specifier
        return { url: joined(parentURL, name), format: 'module', shortCircuit: true }
      }
      if (!isOurs(root, parentURL)) return next(specifier, context)
      // A package is the same one for all of our files.
      const known = packages.get(specifier)
      if (known !== undefined) return known
      const found = { ...next(specifier, context), shortCircuit: true }
      packages.set(specifier, found)
      return found
    },
  })
}

/**
 * The same as `new URL(specifier, parentURL).href`, for a name without anything to escape: there are thousands.
 *
 * @param {string} parentURL
 * @param {string} specifier `./name` or `../name`
 */
function joined(parentURL, specifier) {
  let slash = parentURL.lastIndexOf('/')
  let begin = specifier.startsWith('./') ? 2 : 0
  for (; specifier.startsWith('../', begin); begin += 3) slash = parentURL.lastIndexOf('/', slash - 1)
  return parentURL.slice(0, slash + 1) + specifier.slice(begin)
}

/**
 * @param {string} root
 * @param {string} url
 */
function isOurs(root, url) {
  return !url.startsWith('node_modules/', root.length)
}
