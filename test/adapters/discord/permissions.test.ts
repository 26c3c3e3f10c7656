import { readFileSync } from 'node:fs'

import { PermissionFlagsBits } from 'discord.js'
import { expect, test } from 'vitest'

const page = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

/** `Send Messages in Threads` as discord.js has it. */
function bitOf(name: string): bigint {
  const words = name.trim().split(' ')
  const flag = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const bit = (PermissionFlagsBits as Record<string, bigint | undefined>)[flag]
  if (bit === undefined) throw new Error(`Discord has no permission “${name.trim()}”`)
  return bit
}

const [, rows = ''] =
  /### Permissions\n\n\| permission .*\n\|[-|]*\n((?:\|.*\n)+)/.exec(page('docs/discord.md')) ?? []
const listed = rows.split('\n').flatMap((row) => row.split('|')[1]?.split(',') ?? [])

test.each(['docs/discord.md', 'README.md'])(
  '%s asks for the permissions that are listed, and no other',
  (path) => {
    const asked = [...page(path).matchAll(/(?:permissions[ =\n]+`?|Together: `)(\d+)/g)].map(
      ([, figure]) => figure,
    )
    const together = listed.reduce((sum, name) => sum | bitOf(name), 0n)
    expect(new Set(asked)).toEqual(new Set([String(together)]))
  },
)
