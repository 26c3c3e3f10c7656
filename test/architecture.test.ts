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

const perch: Sources = readSources()
const usual = new Set(violations(perch))

/** What is said when this is added to a file, beside what is said anyway. A new file is as long as it has to be. */
function told(path: string, added: string): string[] {
  const text = `${perch.get(path) ?? '\n'.repeat(30)}\n${added}\n`
  return toldOf([[path, text]])
}

function toldOf(files: readonly (readonly [path: string, text: string])[]): string[] {
  return violations(new Map([...perch, ...files])).filter((one) => !usual.has(one))
}

/** The same when a line of it is another one. */
function toldWhere(path: string, line: string, instead: string): string[] {
  const text = perch.get(path) ?? ''
  expect(text).toContain(line)
  return toldOf([[path, text.replace(line, () => instead)]])
}

// when | in which file | somebody writes (↵ ends a line) | what is said
const STORIES = String.raw`
a folder imports its sibling | src/engine/evaluate/step.ts | import { kinds } from '../../alerts/index.ts' | src/engine/evaluate/step.ts -> src/alerts/index.ts
only a type of a sibling is imported | src/outbox/x.ts | import type { A } from '../engine/a.ts' | src/outbox/x.ts -> src/engine/a.ts
an import takes several lines | src/outbox/x.ts | import {↵  a,↵  type B,↵} from '../engine/a.ts' | src/outbox/x.ts -> src/engine/a.ts
a file hands on what its sibling has | src/outbox/x.ts | export * from '../engine/a.ts' | src/outbox/x.ts -> src/engine/a.ts
a sibling is imported late | src/outbox/x.ts | const a = await import('../engine/a.ts') | src/outbox/x.ts -> src/engine/a.ts
a contract imports a folder | src/store/store.ts | import { a } from '../stores/sqlite/a.ts' | src/store/store.ts -> src/stores/sqlite/a.ts
a contract imports what satisfies it | src/alert/x.ts | import { kinds } from '../alerts/index.ts' | src/alert/x.ts -> src/alerts/index.ts
a contract imports what touches the world | src/store/store.ts | import { readFile } from 'node:fs/promises' | src/store/store.ts -> node:fs/promises
lib knows the domain | src/lib/data/x.ts | import type { Owner } from '../../venue/wallet.ts' | src/lib/data/x.ts -> src/venue/wallet.ts: src/venue stands above src/lib
a contract imports one that stands above it | src/venue/x.ts | import type { A } from '../alert/a.ts' | src/venue/x.ts -> src/alert/a.ts: src/alert stands above src/venue
people know the port of chats | src/people/x.ts | import type { A } from '../chat/a.ts' | src/people/x.ts -> src/chat/a.ts: src/chat stands above src/people
memory knows who judges it | src/engine/memory/x.ts | import { a } from '../evaluate/a.ts' | src/engine/memory/x.ts -> src/engine/evaluate/a.ts: src/engine/evaluate stands above src/engine/memory
a room of the engine imports the engine | src/engine/time/x.ts | import { a } from '../queue.ts' | src/engine/time/x.ts -> src/engine/queue.ts: src/engine stands above src/engine/time
a room of the engine imports one above it by its type | src/engine/notify/x.ts | import type { A } from '../changes/a.ts' | src/engine/notify/x.ts -> src/engine/changes/a.ts: src/engine/changes stands above src/engine/notify
the parser knows the dialog | src/dialog/parse/x.ts | import { a } from '../fit.ts' | src/dialog/parse/x.ts -> src/dialog/fit.ts: src/dialog stands above src/dialog/parse
the budget knows a poller | src/polling/budget/x.ts | import { a } from '../markets.ts' | src/polling/budget/x.ts -> src/polling/markets.ts: src/polling stands above src/polling/budget
what commands share knows a command | src/commands/shared/x.ts | import a from '../look/fix.ts' | src/commands/shared/x.ts -> src/commands/look/fix.ts: src/commands/look stands above src/commands/shared
a command imports one above it | src/commands/look/x.ts | import a from '../alerts/ack.ts' | src/commands/look/x.ts -> src/commands/alerts/ack.ts: src/commands/alerts stands above src/commands/look
a store imports another one | src/stores/sqlite/x.ts | import { a } from '../lake/a.ts' | src/stores/sqlite/x.ts -> src/stores/lake/a.ts
what venues share knows one of them | src/venues/http/x.ts | import { a } from '../sim/play/world.ts' | src/venues/http/x.ts -> src/venues/sim/play/world.ts
a venue imports another one | src/venues/perps-data/x.ts | import { a } from '../sim/play/world.ts' | src/venues/perps-data/x.ts -> src/venues/sim/play/world.ts
an adapter imports the store | adapters/terminal/x.ts | import { a } from '../../src/stores/sqlite/a.ts' | adapters/terminal/x.ts -> src/stores/sqlite/a.ts
an adapter imports another one | adapters/terminal/x.ts | import { a } from '../telegram/a.ts' | adapters/terminal/x.ts -> adapters/telegram/a.ts
an adapter imports what venues share | adapters/terminal/x.ts | import { a } from '../../src/venues/http/ask.ts' | adapters/terminal/x.ts -> src/venues/http/ask.ts
src imports an adapter | src/outbox/x.ts | import { a } from '../../adapters/terminal/a.ts' | src/outbox/x.ts -> adapters/terminal/a.ts
the wiring imports an adapter | src/start/app.ts | import { a } from '../../adapters/terminal/a.ts' | src/start/app.ts -> adapters/terminal/a.ts
the wiring loads a venue that may not be wanted | src/start/app.ts | import { a } from '../venues/sim/index.ts' | src/start/app.ts -> src/venues/sim/index.ts
main loads what may not be wanted | src/main.ts | import a from '../adapters/terminal/index.ts' | src/main.ts -> adapters/terminal/index.ts
main loads a store that may not be wanted | src/main.ts | import a from './stores/sqlite/index.ts' | src/main.ts -> src/stores/sqlite/index.ts
somebody imports the wiring | src/engine/x.ts | import { createApp } from '../start/app.ts' | src/engine/x.ts -> src/start/app.ts
a contract imports the wiring | src/venue/x.ts | import type { Config } from '../start/config.ts' | src/venue/x.ts -> src/start/config.ts
somebody imports main | src/start/app.ts | import '../main.ts' | src/start/app.ts -> src/main.ts
an import has no ending | src/engine/x.ts | import { a } from './a' | src/engine/x.ts imports ./a without .ts
a package is used away from home | src/outbox/x.ts | import { Telegraf } from 'telegraf' | src/outbox/x.ts -> telegraf
one adapter uses the package of another | adapters/terminal/x.ts | import { Client } from 'discord.js' | adapters/terminal/x.ts -> discord.js
the database is used away from home | src/engine/x.ts | import Database from 'better-sqlite3' | src/engine/x.ts -> better-sqlite3
HTTP is served away from home | src/engine/x.ts | import { createServer } from 'node:http' | src/engine/x.ts -> node:http
a module is loaded by another door | src/engine/x.ts | const http = process.getBuiltinModule('node:http') | src/engine/x.ts uses process.getBuiltinModule
the network is used away from home | src/ops/x.ts | import { request } from 'undici' | src/ops/x.ts -> undici
a package has no home | src/engine/x.ts | import { chunk } from 'lodash/fp' | src/engine/x.ts -> lodash
a pure file reads a file | src/polling/budget/schedule.ts | import { readFile } from 'node:fs' | src/polling/budget/schedule.ts is pure, but imports node:fs
a pure file looks at the clock | src/engine/evaluate/step.ts | const at = Date.now() | src/engine/evaluate/step.ts is pure, but uses Date.now
a pure file knows today | src/lib/time/x.ts | const at = new Date() | src/lib/time/x.ts is pure, but uses new Date()
a pure file throws dice | src/outbox/send-gates.ts | const jitter = Math.random() | src/outbox/send-gates.ts is pure, but uses Math.random
a pure file waits | src/venues/sim/play/world.ts | setImmediate(() => {}) | src/venues/sim/play/world.ts is pure, but uses setImmediate
a pure file reads the environment | src/alerts/x/y.ts | const a = process.env.A | src/alerts/x/y.ts is pure, but uses process
a pure file asks the network | src/engine/memory/monitors.ts | const a = await fetch(url) | src/engine/memory/monitors.ts is pure, but uses fetch
somebody sets a timer | src/polling/x.ts | setTimeout(poll, 2_000) | src/polling/x.ts uses setTimeout
somebody sets a timer by another door | src/polling/x.ts | import { a } from 'node:timers/promises' | src/polling/x.ts -> node:timers/promises
the platform sets a timer | src/engine/x.ts | const a = AbortSignal.timeout(5_000) | src/engine/x.ts uses AbortSignal.timeout
somebody waits with a limit of their own | adapters/terminal/x.ts | await Promise.race([work, late]) | adapters/terminal/x.ts uses Promise.race
an adapter measures time | adapters/terminal/x.ts | const tick = performance.now() | adapters/terminal/x.ts uses performance.now
an adapter ends the process | adapters/terminal/x.ts | process.exit(0) | adapters/terminal/x.ts uses process.exit
a function takes all of memory | src/engine/time/arming.ts | function late(memory: Memory) {} | src/engine/time/arming.ts takes all of Memory: Pick its drawers
somebody sees the drawers as their laws do | src/engine/time/arming.ts | const drawers = memory as Drawers | src/engine/time/arming.ts takes all of Memory: Pick its drawers
somebody beside the engine changes memory | src/engine/time/arming.ts | import { apply } from '../memory/apply.ts' | src/engine/time/arming.ts -> src/engine/memory/apply.ts: it is given what changes memory
there is an enum | src/engine/x.ts | export const enum Tone { Loud } | src/engine/x.ts: enum is more than types, Node cannot strip it
there is a namespace | src/engine/x.ts | namespace Tones {} | src/engine/x.ts: namespace is more than types, Node cannot strip it
a kind of alert is left off the list | src/alerts/market/x.ts | export default {} | src/alerts/market/x.ts is not in src/alerts/index.ts
a command is left off the list | src/commands/look/x.ts | export default {} | src/commands/look/x.ts is not in src/commands/index.ts
a command that is made of kinds is left off the list | src/commands/look/x.ts | export function testCommand(kinds) {} | src/commands/look/x.ts is not in src/commands/index.ts`
  .trim()
  .split('\n')
  .map((line) => line.split(' | '))

describe('it is told when', () => {
  test.each(STORIES)('%s', (_when, path = '', line = '', said = '') => {
    expect(told(path, line.replaceAll('↵', '\n'))).toContain(said)
    expect(told(path, `// ${line}`).filter((one) => !/ holds \d+ files/.test(one))).toEqual([])
  })

  test('an adapter cannot be opened by its name', () => {
    expect(told('adapters/pigeon/post.ts', '//')).toEqual([
      'adapters/pigeon/index.ts has no default export that satisfies OpenConversation, OpenNotifier or OpenClient',
      'adapters/pigeon/config.ts exports no schema',
      'adapters/pigeon/config.ts exports no isConfigured',
    ])
  })

  test('a venue promises something else', () => {
    expect(told('src/venues/x/index.ts', 'export default (() => {}) satisfies OpenConversation')[0]).toBe(
      'src/venues/x/index.ts has no default export that satisfies OpenVenue',
    )
  })

  test('a store promises something else', () => {
    expect(told('src/stores/x/index.ts', 'export default (() => {}) satisfies OpenVenue')).toEqual([
      'src/stores/x/writer.ts is missing: its table writers says what becomes of each Write',
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
    const blank = '\n'.repeat(30)
    expect(
      toldOf([
        ['src/dialog/x.ts', `${blank}import type { Y } from './y.ts'`],
        ['src/dialog/y.ts', `${blank}import type { X } from './x.ts'`],
      ]),
    ).toEqual(['a circle of imports: src/dialog/x.ts -> src/dialog/y.ts -> src/dialog/x.ts'])
  })

  test('a contract knows what knows it', () => {
    expect(told('src/venue/amount.ts', "import type { Order } from './order.ts'")).toContain(
      'a circle of imports: src/venue/amount.ts -> src/venue/order.ts -> src/venue/amount.ts',
    )
  })

  test('something is written that neither memory nor the store knows', () => {
    const line = 'export type Write =\n'
    expect(toldWhere('src/store/store.ts', line, `${line}  | { is: 'tax-paid'; at: number }\n`)).toEqual(
      expect.arrayContaining([
        'the law of src/engine/memory has no entry for tax-paid: Write of src/store/store.ts',
        'src/stores/sqlite/writer.ts: writers has no entry for tax-paid: Write of src/store/store.ts',
      ]),
    )
  })

  test('memory or the store forgets a kind of write', () => {
    expect(toldWhere('src/engine/memory/apply.ts', '  step: true,\n', '')).toEqual([
      'the law of src/engine/memory has no entry for step: Write of src/store/store.ts',
    ])
    expect(toldWhere('src/stores/sqlite/writer.ts', '    send: ({ row }) => send(row),\n', '')).toEqual([
      'src/stores/sqlite/writer.ts: writers has no entry for send: Write of src/store/store.ts',
    ])
  })

  test('a second store forgets a kind of write', () => {
    const writer = perch.get('src/stores/sqlite/writer.ts') ?? ''
    const forgetful = writer.replace('    send: ({ row }) => send(row),\n', '')
    expect(toldOf([['src/stores/x/writer.ts', forgetful]])).toContain(
      'src/stores/x/writer.ts: writers has no entry for send: Write of src/store/store.ts',
    )
  })

  test('memory or the store has a law for what nobody writes', () => {
    const law = '  step: true,\n'
    expect(toldWhere('src/engine/memory/apply.ts', law, `${law}  'tax-paid': true,\n`)).toEqual([
      'the law of src/engine/memory has an entry for tax-paid, which is no Write and no Observation',
    ])
    const writer = '    send: ({ row }) => send(row),\n'
    expect(toldWhere('src/stores/sqlite/writer.ts', writer, `${writer}    judged() {},\n`)).toEqual([
      'src/stores/sqlite/writer.ts: writers has an entry for judged, which is no Write',
    ])
  })

  test('two drawers of memory own one kind of write', () => {
    const law = "  'suspension-told': ("
    expect(toldWhere('src/engine/memory/run.ts', law, `  'mute-gone': () => {},\n${law}`)).toEqual([
      'the law of src/engine/memory has two entries for mute-gone',
    ])
  })

  test('memory does not know what it alone is told', () => {
    const line = 'type Observation =\n'
    expect(toldWhere('src/engine/memory/effect.ts', line, `${line}  | { is: 'napped' }\n`)).toEqual([
      'the law of src/engine/memory has no entry for napped: Observation of src/engine/memory/effect.ts',
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
    expect(told('src/lib/data/x.ts', 'export const a = 1')).toEqual([
      'src/lib/data/x.ts exports a, which nobody imports',
    ])
  })

  test('the engine gets a room that has no place in the order', () => {
    expect(told('src/engine/attic/x.ts', '//')).toEqual([
      'src/engine/attic/x.ts lies in a folder that LAYERS does not name',
    ])
    expect(told('src/engine/memory/attic/x.ts', '//')).toEqual([])
  })

  test('a file lies beside main', () => {
    expect(told('src/x.ts', '//')).toEqual(['src/x.ts belongs in a folder'])
  })

  test('a file is too long to be read', () => {
    expect(told('adapters/terminal/x.ts', `${'x\n'.repeat(400)}x`)).toEqual([
      'adapters/terminal/x.ts has 432 lines, more than 400: cut it up',
    ])
    expect(toldOf([['adapters/terminal/x.ts', 'x\n'.repeat(401)]])).toHaveLength(1)
    expect(toldOf([['adapters/terminal/x.ts', 'x\n'.repeat(400)]])).toEqual([])
  })

  test('a file is too short to be one', () => {
    expect(toldOf([['adapters/terminal/x.ts', 'x\n'.repeat(10)]])).toEqual([
      'adapters/terminal/x.ts has 10 lines, fewer than 30: merge it, or give the reason in SHORT_FILES',
    ])
    expect(toldOf([['adapters/terminal/x.ts', 'x\n'.repeat(30)]])).toEqual([])
    expect(toldOf([['src/commands/start/quit.ts', 'export default {}\n']])).toEqual([])
  })

  test('a short file that had a reason is longer, or gone', () => {
    const path = 'src/people/pin.ts'
    expect(toldOf([[path, `${perch.get(path)}${'\n'.repeat(30)}//`]])).toEqual([
      `${path} is no short file: take it out of SHORT_FILES`,
    ])
  })

  test('a folder holds more than a glance takes in', () => {
    const held = (count: number) =>
      Array.from({ length: count }, (_, n) => [`src/net/attic/x${n}.ts`, 'x\n'.repeat(30)] as const)
    expect(toldOf(held(16))).toEqual(['src/net/attic holds 16 files, more than 15'])
    expect(toldOf(held(15))).toEqual([])
  })
})

describe('it is not told when', () => {
  test.each([
    [
      'a member or a field has such a name',
      'src/lib/data/x.ts',
      'venue.fetch(b.process)\nconst c = { process: 1 }',
    ],
    ['a sentence has such a word', 'src/lib/text/x.ts', `const a = 'process exit' // fetch`],
    ['a date is made of a time', 'src/lib/time/x.ts', 'const day = new Date(at)'],
    [
      'the simulator is read like any venue',
      'src/venues/sim/x.ts',
      `import { a } from '../perps-data/client.ts'`,
    ],
    ['the wiring imports everything', 'src/start/app.ts', `import { a } from '../engine/a.ts'`],
    ['a contract imports a lower one', 'src/alert/x.ts', `import { a } from '../lib/text/a.ts'`],
    ['a room imports a lower one', 'src/engine/time/x.ts', `import { a } from '../memory/a.ts'`],
    ['the engine imports its rooms', 'src/engine/x.ts', `import { a } from './time/a.ts'`],
    ['a venue imports what venues share', 'src/venues/perps-data/x.ts', `import { a } from '../http/a.ts'`],
    ['main opens by name', 'src/main.ts', 'const opened = await import(`../adapters/${name}/index.ts`)'],
  ])('%s', (_when, path, line) => {
    expect(told(path, line)).toEqual([])
  })
})
