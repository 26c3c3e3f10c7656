import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

import { keepHeapSmall, privateFolder, resolveByName } from './ops/node-setup.js'

// `node --import ./src/preload.js src/main.ts` loads this before `main.ts`, which otherwise does so itself.
//
// Stripping types from hundreds of files and compiling them takes most of a start. Node caches the result here for the
// next start, if it may write, and recompiles changed files. The cache covers only later imports, so everything else is
// imported after this. The heap is set first, because cached code depends on its settings.
keepHeapSmall()
const compiled = privateFolder(fileURLToPath(new URL('../data/compiled', import.meta.url)))
if (compiled !== null) enableCompileCache(compiled)
resolveByName(new URL('../', import.meta.url).href)
