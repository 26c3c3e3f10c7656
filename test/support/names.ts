import { posix } from 'node:path'

import { code, type Sources } from './sources.ts'

/** A name that a reader has to learn: of a file, of a type, or of an exported function or constant. */
export interface Name {
  path: string
  kind: 'file' | 'type' | 'value'
  name: string
}

const TYPE = /^(?:export )?(?:declare )?(?:type|interface|class) (\w+)/gm
const VALUE = /^export (?:async )?(?:const|function\*?) (\w+)/gm

export function namesIn(sources: Sources): Name[] {
  return [...sources].flatMap(([path, text]) => [
    { path, kind: 'file' as const, name: posix.basename(path, '.ts') },
    ...[...code(text).matchAll(TYPE)].map(([, name = '']) => ({ path, kind: 'type' as const, name })),
    ...[...code(text).matchAll(VALUE)].map(([, name = '']) => ({ path, kind: 'value' as const, name })),
  ])
}

/** Splits a name: `WalletReading`, `wallet-reading` and `WALLET_READING` have the words wallet and reading. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}
