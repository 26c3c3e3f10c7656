import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import fundingFlip from '../../src/alerts/funding/funding-flip.ts'
import { kinds } from '../../src/alerts/index.ts'
import { clashes } from '../../src/chat/declaration.ts'
import { command } from '../../src/command/command.ts'
import { alertCommand } from '../../src/commands/alerts/alert.ts'
import { say } from '../../src/message/message.ts'

const named = (name: string, ...aliases: string[]) =>
  command({ name, aliases, summary: 'answers', examples: [], args: z.object({}), run: () => say('Pong.') })

describe('a word that two answer to is told, for one of them would never be heard', () => {
  test('a command of the name that another one has as well', () => {
    expect(clashes([named('status', 'ping'), named('ping')])).toEqual([
      'Two commands answer to /ping: status and ping. Rename one.',
    ])
  })

  test('two commands of one name, in any case', () => {
    expect(clashes([named('ping'), named('Ping')])).toEqual([
      'Two commands answer to /ping: ping and Ping. Rename one.',
    ])
  })

  test('two aliases', () => {
    expect(clashes([named('a', 'x', 'y'), named('b', 'y'), named('c')])).toEqual([
      'Two commands answer to /y: a and b. Rename one.',
    ])
  })

  test('a kind of alert with the alias of another one', () => {
    const newKind = { ...fundingFlip, name: 'flip-flop', aliases: ['liq'] }
    expect(clashes([alertCommand([...kinds, newKind])])).toEqual([
      'Two forms of /alert answer to liq: liquidation-distance and flip-flop. Rename one.',
    ])
  })
})

test('a command that says a word twice takes it from nobody', () => {
  expect(clashes([named('ping', 'ping', 'p')])).toEqual([])
})
