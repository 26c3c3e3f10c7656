import { test } from 'vitest'

import { linkedStory, type Other } from './linked.ts'
import type { Living } from './living.ts'

test('one person at a terminal and on Discord', () =>
  linkedStory({ ADAPTERS: 'discord,terminal' }, atTerminal))

function atTerminal({ program }: Living): Other {
  return {
    name: 'terminal',
    async says(line) {
      // The greeting is no answer.
      await program().prints(/(Live:|can’t see)[^\n]*\n/)
      const before = program().output().length
      program().type(line)
      await program().prints(new RegExp(`^[\\s\\S]{${before}}[\\s\\S]*\\n\\n`))
      return program().output().slice(before)
    },
    hears: (words) => program().prints(words),
    count: (words) => program().output().split(words).length - 1,
    goes: null,
  }
}
