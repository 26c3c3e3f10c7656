import type { Clock } from './clock.ts'
import type { Store } from './store.ts'

/** The default export of `stores/<name>/index.ts`. */
export type OpenStore = (place: {
  /** DATABASE_URL: a scheme that the store's `config.ts` takes, and what only the store understands. */
  url: string
  /** Of the venue that all of it belongs to: a store that remembers another one is refused with a sentence. */
  identity: string
  clock: Clock
}) => Promise<Store>
