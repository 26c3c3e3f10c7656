import { describe, expect, test } from 'vitest'

import { kinds } from '../src/alerts/index.ts'
import { clashes } from '../src/chat/declaration.ts'
import { commandList } from '../src/commands/index.ts'
import { violations } from './support/architecture.ts'
import { readSources, type Sources } from './support/sources.ts'

test('Perch keeps its own rules', () => {
  expect(violations(readSources())).toEqual([])
})

test('every word that people can type means one thing', () => {
  expect(clashes(commandList(kinds))).toEqual([])
})

// With what may not be written yet, so that its rules hold already.
const unwritten = ['src/main.ts', 'src/alerts/index.ts', 'src/commands/index.ts'].map(
  (path) => [path, ''] as const,
)
const perch: Sources = new Map([...unwritten, ...readSources()])
const usual = new Set(violations(perch))

/** What is said when this is added to a file, beside what is said anyway. */
function told(path: string, added: string): string[] {
  const text = `${perch.get(path) ?? ''}\n${added}\n`
  return violations(new Map([...perch, [path, text]])).filter((one) => !usual.has(one))
}

/** The same when a line of it is another one. */
function toldWhere(path: string, line: string, instead: string): string[] {
  const text = perch.get(path) ?? ''
  expect(text).toContain(line)
  return violations(new Map([...perch, [path, text.replace(line, () => instead)]])).filter(
    (one) => !usual.has(one),
  )
}

// when | in which file | somebody writes (↵ ends a line) | what is said
const STORIES = String.raw`
a folder imports its sibling | src/engine/evaluate/step.ts | import { kinds } from '../alerts/index.ts' | src/engine/evaluate/step.ts -> src/alerts/index.ts
only a type of a sibling is imported | src/outbox/x.ts | import type { A } from '../engine/a.ts' | src/outbox/x.ts -> src/engine/a.ts
an import takes several lines | src/outbox/x.ts | import {↵  a,↵  type B,↵} from '../engine/a.ts' | src/outbox/x.ts -> src/engine/a.ts
a file hands on what its sibling has | src/outbox/x.ts | export * from '../engine/a.ts' | src/outbox/x.ts -> src/engine/a.ts
a sibling is imported late | src/outbox/x.ts | const a = await import('../engine/a.ts') | src/outbox/x.ts -> src/engine/a.ts
a contract imports a folder | src/store/store.ts | import { a } from './stores/sqlite/a.ts' | src/store/store.ts -> src/stores/sqlite/a.ts
a contract imports what touches the world | src/store/store.ts | import { readFile } from 'node:fs/promises' | src/store/store.ts -> node:fs/promises
lib knows the domain | src/lib/x.ts | import type { Owner } from '../owner.ts' | src/lib/x.ts -> src/venue/wallet.ts
a store imports another one | src/stores/sqlite/x.ts | import { a } from '../lake/a.ts' | src/stores/sqlite/x.ts -> src/stores/lake/a.ts
what venues share knows one of them | src/venues/x.ts | import { a } from './sim/world.ts' | src/venues/x.ts -> src/venues/sim/play/world.ts
a venue imports another one | src/venues/perps-data/x.ts | import { a } from '../sim/world.ts' | src/venues/perps-data/x.ts -> src/venues/sim/play/world.ts
an adapter imports the store | adapters/terminal/x.ts | import { a } from '../../src/stores/sqlite/a.ts' | adapters/terminal/x.ts -> src/stores/sqlite/a.ts
an adapter imports another one | adapters/terminal/x.ts | import { a } from '../telegram/a.ts' | adapters/terminal/x.ts -> adapters/telegram/a.ts
src imports an adapter | src/outbox/x.ts | import { a } from '../../adapters/terminal/a.ts' | src/outbox/x.ts -> adapters/terminal/a.ts
the wiring imports an adapter | src/start/app.ts | import { a } from '../adapters/terminal/a.ts' | src/start/app.ts -> adapters/terminal/a.ts
main loads what may not be wanted | src/main.ts | import a from '../adapters/terminal/index.ts' | src/main.ts -> adapters/terminal/index.ts
main loads a store that may not be wanted | src/main.ts | import a from './stores/sqlite/index.ts' | src/main.ts -> src/stores/sqlite/index.ts
somebody imports the wiring | src/engine/x.ts | import { createApp } from '../app.ts' | src/engine/x.ts -> src/start/app.ts
somebody imports main | src/start/app.ts | import './main.ts' | src/start/app.ts -> src/main.ts
an import has no ending | src/engine/x.ts | import { a } from './a' | src/engine/x.ts imports ./a without .ts
a package is used away from home | src/outbox/x.ts | import { Telegraf } from 'telegraf' | src/outbox/x.ts -> telegraf
one adapter uses the package of another | adapters/terminal/x.ts | import { Client } from 'discord.js' | adapters/terminal/x.ts -> discord.js
the database is used away from home | src/engine/x.ts | import Database from 'better-sqlite3' | src/engine/x.ts -> better-sqlite3
HTTP is served away from home | src/engine/x.ts | import { createServer } from 'node:http' | src/engine/x.ts -> node:http
a package has no home | src/engine/x.ts | import { chunk } from 'lodash/fp' | src/engine/x.ts -> lodash
a pure file reads a file | src/polling/budget/schedule.ts | import { readFile } from 'node:fs' | src/polling/budget/schedule.ts is pure, but imports node:fs
a pure file looks at the clock | src/engine/evaluate/step.ts | const at = Date.now() | src/engine/evaluate/step.ts is pure, but uses Date.now
a pure file knows today | src/lib/x.ts | const at = new Date() | src/lib/x.ts is pure, but uses new Date()
a pure file throws dice | src/outbox/send-gates.ts | const jitter = Math.random() | src/outbox/send-gates.ts is pure, but uses Math.random
a pure file waits | src/venues/sim/play/world.ts | setImmediate(() => {}) | src/venues/sim/play/world.ts is pure, but uses setImmediate
a pure file reads the environment | src/alerts/x/y.ts | const a = process.env.A | src/alerts/x/y.ts is pure, but uses process
a pure file asks the network | src/engine/memory/threshold-index.ts | const a = await fetch(url) | src/engine/memory/threshold-index.ts is pure, but uses fetch
somebody sets a timer | src/polling/x.ts | setTimeout(poll, 2_000) | src/polling/x.ts uses setTimeout
somebody sets a timer by another door | src/polling/x.ts | import { a } from 'node:timers/promises' | src/polling/x.ts -> node:timers/promises
the platform sets a timer | src/engine/x.ts | const a = AbortSignal.timeout(5_000) | src/engine/x.ts uses AbortSignal.timeout
somebody waits with a limit of their own | adapters/terminal/x.ts | await Promise.race([work, late]) | adapters/terminal/x.ts uses Promise.race
an adapter measures time | adapters/terminal/x.ts | const tick = performance.now() | adapters/terminal/x.ts uses performance.now
an adapter ends the process | adapters/terminal/x.ts | process.exit(0) | adapters/terminal/x.ts uses process.exit
there is an enum | src/engine/x.ts | export const enum Tone { Loud } | src/engine/x.ts: enum is more than types, Node cannot strip it
there is a namespace | src/engine/x.ts | namespace Tones {} | src/engine/x.ts: namespace is more than types, Node cannot strip it
a file in alerts/ is left off the list | src/alerts/x.ts | export default {} | src/alerts/x.ts is not in src/alerts/index.ts
a file in commands/ is left off the list | src/commands/x.ts | export default {} | src/commands/x.ts is not in src/commands/index.ts`
  .trim()
  .split('\n')
  .map((line) => line.split(' | '))

describe('it is told when', () => {
  test.each(STORIES)('%s', (_when, path = '', line = '', said = '') => {
    expect(told(path, line.replaceAll('↵', '\n'))).toContain(said)
    expect(told(path, `// ${line}`).filter((one) => !one.includes('not in'))).toEqual([])
  })

  test('an adapter cannot be opened by its name', () => {
    expect(told('adapters/pigeon/post.ts', '')).toEqual([
      'adapters/pigeon/index.ts has no default export that satisfies OpenAdapter',
      'adapters/pigeon/config.ts exports no schema',
      'adapters/pigeon/config.ts exports no isConfigured',
    ])
  })

  test('a venue promises something else', () => {
    expect(told('src/venues/x/index.ts', 'export default (() => {}) satisfies OpenAdapter')[0]).toBe(
      'src/venues/x/index.ts has no default export that satisfies OpenVenue',
    )
  })

  test('a store promises something else', () => {
    expect(told('src/stores/x/index.ts', 'export default (() => {}) satisfies OpenVenue')).toEqual([
      'src/stores/x/index.ts has no default export that satisfies OpenStore',
      'src/stores/x/backups.ts has no default export that satisfies OpenBackups',
      'src/stores/x/config.ts exports no schemes',
    ])
  })

  test('two venues are what opens when nothing is configured', () => {
    expect(told('src/venues/perps-data/config.ts', 'export const fallback = true')).toEqual([
      'src/venues: not one is the fallback, but src/venues/perps-data/config.ts, src/venues/sim/config.ts',
    ])
  })

  test('two files know each other, be it by their types alone', () => {
    const others = new Map([...perch, ['src/dialog/x.ts', "import type { Y } from './y.ts'"]])
    others.set('src/dialog/y.ts', "import type { X } from './x.ts'")
    expect(violations(others).filter((one) => !usual.has(one))).toEqual([
      'a circle of imports: src/dialog/x.ts -> src/dialog/y.ts -> src/dialog/x.ts',
    ])
  })

  test('a contract knows what knows it', () => {
    expect(told('src/venue/amount.ts', "import type { Order } from './order.ts'")).toContain(
      'a circle of imports: src/venue/amount.ts -> src/venue/order.ts -> src/venue/amount.ts',
    )
  })

  test('something is written that neither memory nor the store knows', () => {
    const line = 'export type Write =\n'
    expect(toldWhere('src/store/store.ts', line, `${line}  | { is: 'tax-paid'; at: number }\n`)).toEqual([
      'src/engine/memory/apply.ts: LAW has no entry for tax-paid, a Write of src/store/store.ts',
      'src/stores/sqlite/writer.ts: writers has no entry for tax-paid, a Write of src/store/store.ts',
    ])
  })

  test('memory or the store forgets a kind of write', () => {
    expect(toldWhere('src/engine/memory/apply.ts', '  step: nothing,\n', '')).toEqual([
      'src/engine/memory/apply.ts: LAW has no entry for step, a Write of src/store/store.ts',
    ])
    expect(toldWhere('src/stores/sqlite/writer.ts', '    send: ({ row }) => send(row),\n', '')).toEqual([
      'src/stores/sqlite/writer.ts: writers has no entry for send, a Write of src/store/store.ts',
    ])
  })

  test('memory or the store has a law for what nobody writes', () => {
    const law = '  step: nothing,\n'
    expect(toldWhere('src/engine/memory/apply.ts', law, `${law}  'tax-paid': nothing,\n`)).toEqual([
      'src/engine/memory/apply.ts: LAW has an entry for tax-paid, which is no Write and no Note',
    ])
    const writer = '    send: ({ row }) => send(row),\n'
    expect(toldWhere('src/stores/sqlite/writer.ts', writer, `${writer}    judged() {},\n`)).toEqual([
      'src/stores/sqlite/writer.ts: writers has an entry for judged, which is no Write',
    ])
  })

  test('memory does not know what it alone is told', () => {
    const line = 'type Note =\n'
    expect(toldWhere('src/engine/memory/effect.ts', line, `${line}  | { is: 'napped' }\n`)).toEqual([
      'src/engine/memory/apply.ts: LAW has no entry for napped, a Note of src/engine/memory/effect.ts',
    ])
  })

  test('two kinds of alert, or two commands, answer to one word', () => {
    const [first, second] = kinds.filter(({ is }) => is === 'level')
    const alias = first?.aliases[0] ?? ''
    const clashing = kinds.map((kind) => (kind === second ? { ...kind, aliases: [alias] } : kind))
    expect(clashes(commandList(clashing))).toEqual([
      ...['alert', 'try'].map(
        (command) =>
          `Two forms of /${command} answer to ${alias}: ${first?.name} and ${second?.name}. Rename one.`,
      ),
    ])
    const commands = commandList(kinds).map((one) =>
      one.name === 'help' ? { ...one, aliases: ['status'] } : one,
    )
    expect(clashes(commands)).toEqual(['Two commands answer to /status: help and status. Rename one.'])
  })

  test('a file gives what nobody takes', () => {
    expect(told('src/lib/x.ts', 'export const a = 1')).toEqual([
      'src/lib/x.ts exports a, which nobody imports',
    ])
  })

  test('a file is too long to be read', () => {
    expect(told('adapters/terminal/x.ts', 'x\n'.repeat(250))).toEqual([
      'adapters/terminal/x.ts has 251 lines; cut it up, or give the reason in LONG_FILES',
    ])
  })
})

describe('it is not told when', () => {
  test.each([
    [
      'a member or a field has such a name',
      'src/lib/x.ts',
      'venue.fetch(b.process)\nconst c = { process: 1 }',
    ],
    ['a sentence has such a word', 'src/lib/x.ts', `const a = 'process exit' // fetch`],
    ['a date is made of a time', 'src/lib/x.ts', 'const day = new Date(at)'],
    [
      'the simulator is read like any venue',
      'src/venues/sim/x.ts',
      `import { a } from '../perps-data/client.ts'`,
    ],
    ['the wiring imports everything', 'src/start/app.ts', `import { a } from './engine/a.ts'`],
    ['main opens by name', 'src/main.ts', 'const opened = await import(`../adapters/${name}/index.ts`)'],
  ])('%s', (_when, path, line) => {
    expect(told(path, line)).toEqual([])
  })
})
