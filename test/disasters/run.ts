import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { type Rehearsal, rehearsals } from './rehearsals.ts'
import { openScene } from './scene.ts'

const TOLD = 'BTC long: 4.3% to liquidation'
const RECOVERY_SECONDS = 180
/** They live side by side, but a start takes much of the machine. */
const APART_MS = 3_000

interface Row {
  person: string[]
  operator: string[]
  health: string
  recovery: string
}

/** `npm run disasters`: each of them happens to the real program, one row of a table for each. */
async function main(): Promise<void> {
  const options = {
    minutes: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
  } as const
  const { values } = parseArgs({ options })
  const chosen = rehearsals(Number(values.minutes)).filter(({ name }) => name.includes(values.only))
  const rows = await Promise.all(
    chosen.map(async (one, n) => {
      await sleep(n * APART_MS)
      const lacks = one.lacks?.() ?? null
      return lacks === null
        ? rowOf(one.name, await rehearse(one))
        : `| ${one.name} | left out: ${lacks} is not here | | | |`
    }),
  )
  const head =
    '| disaster | the person reads | the log says | /healthz meanwhile | how it recovers |\n|---|---|---|---|---|'
  process.stdout.write(`${[head, ...rows].join('\n')}\n`)
}

async function rehearse(one: Rehearsal): Promise<Row> {
  await using scene = await openScene(one.env, one.diskMb ?? null)
  const { stage } = scene
  scene.hears()
  scene.logs()
  const ends = await one.begins(scene)
  if (one.fallsMeanwhile) stage.market('BTC', { price: 94 })
  await sleep(one.seconds * 1_000)
  const health = await scene.health()
  const ended = await scene.ends(0)
  const [person, operator] = [scene.hears(), scene.logs()]
  if (ended !== 'does not end') operator.push(ended)
  const began = performance.now()
  await ends(scene)
  if (!one.fallsMeanwhile) stage.market('BTC', { price: 94 })
  const before = person.some((line) => line.includes(TOLD))
  const after = before || (await scene.tells(TOLD, RECOVERY_SECONDS))
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  await sleep(5_000)
  const well = await scene.health()
  const later = scene.hears()
  const told = before
    ? 'the warning was told meanwhile'
    : after
      ? `the warning is told ${seconds} s after its end`
      : 'THE WARNING IS NOT TOLD'
  return {
    person,
    operator,
    health,
    recovery: [told, ...later.map((line) => `“${line}”`), `/healthz ${well}`].join('; '),
  }
}

function rowOf(name: string, { person, operator, health, recovery }: Row): string {
  const cell = (lines: string[]) =>
    lines.length === 0
      ? 'nothing'
      : lines
          .join('<br>')
          .replaceAll('|', '\\|')
          .replaceAll(/\/\S*\/perch-disaster-\w+/g, 'data')
  return `| ${[name, cell(person), cell(operator), cell([health]), cell([recovery])].join(' | ')} |`
}

await main()
