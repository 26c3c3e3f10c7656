import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Sources } from './sources.ts'

export interface Shown {
  /** Which file it stands for; null when the page does not say. */
  path: string | null
  text: string
}

/** What a page shows as TypeScript; the words right before it end with the path of the file: "The whole of `a.ts`:". */
export function shownIn(page: string): Shown[] {
  return [...page.matchAll(/([^\n]*)\n+```ts\n(.*?)```/gs)].map(([, before = '', text = '']) => ({
    path: /`([\w./-]+\.ts)`:$/.exec(before)?.[1] ?? null,
    text,
  }))
}

/** All that docs/adding.md shows. */
export function shownToAdd(): Shown[] {
  return shownIn(readFileSync(fileURLToPath(new URL('../../docs/adding.md', import.meta.url)), 'utf8'))
}

/** The whole files among it. */
export function filesToAdd(): Sources {
  return new Map(shownToAdd().flatMap(({ path, text }) => (path === null ? [] : [[path, text] as const])))
}
