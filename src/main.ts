import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

import { keepHeapSmall } from './ops/heap-growth.ts'

// Most of a start is to read the sources: to strip the types of some hundred files, and to compile them. What one start has
// made of them Node keeps here for the next, where it may write, and makes anew what has changed. It helps what is
// loaded from here on, so the rest is loaded late; and the heap's settings come first, since what is kept goes by them.
keepHeapSmall()
enableCompileCache(fileURLToPath(new URL('../data/compiled', import.meta.url)))
const { default: run } = await import('./start/program.ts')
await run()
