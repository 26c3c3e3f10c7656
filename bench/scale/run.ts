import { z } from 'zod'

import { say } from '../support/figures.ts'
import { ASSUMED, type Assumptions, usual } from './model.ts'
import { choicesOf, SIZES, tableOf } from './table.ts'

// npm run simulate:scale                               the first table of docs/scale.md
// npm run simulate:scale -- people=1000000 node=1      one number of people, with another assumption

const names = Object.keys(ASSUMED) as (keyof typeof ASSUMED)[]
const shape = Object.fromEntries(
  names.map((name) => [name, name.startsWith('share') ? share() : least(name)]),
) as Record<keyof Assumptions, z.ZodType<number>>

function share() {
  return z.coerce.number().min(0.01).max(1).optional() as unknown as z.ZodType<number>
}

function least(name: keyof Assumptions) {
  const isSwitch = name === 'node' || name === 'paid' || name === 'standby'
  const number = z.coerce.number().max(isSwitch ? 1 : 100_000_000)
  const isCount = isSwitch || name === 'people' || name === 'messages' || name === 'seed'
  const whole = isCount ? number.int() : number
  return (isSwitch ? whole.min(0) : whole.positive()).optional() as unknown as z.ZodType<number>
}

const given = process.argv.slice(2).map((word) => word.split('=', 2))
const parsed = z.strictObject(shape).safeParse(Object.fromEntries(given))
const valueless = names.filter((name) => given.some(([given, value = '']) => given === name && value === ''))
if (!parsed.success || valueless.length > 0) {
  for (const name of valueless)
    say(`${name} has no value. Write one behind it: ${name}=${ASSUMED[name].value || 1}.`)
  for (const { path, message } of parsed.error?.issues ?? [])
    say(`${path.join('') || 'arguments'}: ${message}`)
  say('Say npm run simulate:scale -- people=1000000 share-critical=0.3. All arguments:')
  for (const name of names)
    say(`  ${name}=${name === 'people' ? '…' : ASSUMED[name].value}: ${ASSUMED[name].says}`)
  process.exit(2)
}
const assumed = {
  ...usual(),
  ...Object.fromEntries(given.map(([name]) => [name, parsed.data[name as keyof Assumptions]])),
}
say(tableOf(assumed, assumed.people > 0 ? [assumed.people] : SIZES))
say('')
if (assumed.people === 0) say(`${choicesOf(assumed, SIZES)}\n`)
for (const name of names) if (name !== 'people') say(`${name}=${assumed[name]}: ${ASSUMED[name].says}`)
