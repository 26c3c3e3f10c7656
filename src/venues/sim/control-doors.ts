import type { Asked } from './api.ts'
import type { Door, Stage } from './door.ts'
import { refusal } from './endpoint.ts'
import type { HttpAnswer } from './endpoint.ts'
import { accounts } from './doors/accounts.ts'
import { faults } from './doors/faults.ts'
import { funding } from './doors/funding.ts'
import { listing } from './doors/listing.ts'
import { orders } from './doors/orders.ts'
import { price, prices } from './doors/price.ts'
import { state } from './doors/state.ts'
import { time } from './doors/time.ts'

export const doors: readonly Door[] = [
  ...[state, price, prices, funding, time],
  ...[...orders, ...accounts, ...listing, ...faults],
]

/** The control doors of the simulated venue, open only with SIM_CONTROL=1. */
export function openDoor(stage: Stage, { method, path, body }: Asked): HttpAnswer {
  const door = doors.find((one) => one.method === method && one.path === path)
  if (door) return door.open(stage, body)
  return refusal(404, `The control doors are ${doors.map((one) => `${one.method} ${one.path}`).join(', ')}`)
}
