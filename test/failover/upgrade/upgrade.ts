import { tierAt } from '../crowd.ts'
import { unequal } from '../equality.ts'
import { openStage } from '../stage.ts'
import { judge, type Owed } from '../verdict.ts'
import { makeNewer, type News } from './newer.ts'
import { converse } from './talk.ts'

export interface Upgrade {
  /** What people said that nobody has answered. */
  unanswered: number
  said: number
  /** The longest time without any answer, though somebody spoke each so often. */
  silentMs: number
  owed: number
  lost: string[]
  unmarked: string[]
  false: string[]
  /** Differences of the two files once both run the newer program. */
  unequal: string[]
  /** What the older program says where it can't read the entries of the newer one; null if it follows them. */
  olderWaits: string | null
  /** How the two older processes ended. */
  ends: string[]
}

const PEOPLE = 20
const OLDER_WAITS = /the journal is of a newer Perch[^"]*/

/** The standby first, then the leader: two programs of the old version become two of the new one, while people talk. */
export async function upgrade(news: readonly News[]): Promise<Upgrade> {
  await using stage = await openStage({ people: PEOPLE, members: PEOPLE, leaseS: 3, keeps: false })
  const { folder, crowd, venue, platforms, machines, other, leading, comes } = stage
  const newer = makeNewer(`${folder}/newer`, news)
  for (const machine of machines) machine.start()
  if (!(await stage.ready())) throw new Error('the two did not start')
  const firstArrival = platforms.arrivals.length
  const owed: Owed[] = []
  let tier = 0
  const move = (to: 'calm' | 'near' | 'brink') => {
    const group = crowd.groups[0]
    const before = tier
    tier = tierAt(to, before)
    venue.moves(0, to)
    const what = tier > before ? `worse ${tier}` : 'clear'
    for (const member of group?.members ?? [])
      owed.push({ chat: String(member), about: `distance of ${group?.symbol} long`, what, fault: 0 })
  }
  const isTold = () => {
    const { lost } = judge(owed, platforms.arrivals.slice(firstArrival))
    return lost.length === 0
  }

  const talk = converse(platforms)
  await comes(() => talk.answers() > 0)
  move('near')
  await comes(isTold)

  const old = leading() ?? machines[0]
  const standby = other(old)
  standby.signal('SIGTERM')
  await comes(() => !standby.isUp())
  standby.start(newer)
  await stage.ready()
  move('brink')
  old.signal('SIGTERM')
  await comes(() => leading() === standby && !old.isUp())
  await comes(isTold)
  move('calm')
  await comes(isTold)

  // Somebody starts the old one again by mistake.
  old.start()
  const log = () => old.log().slice(logged)
  const logged = old.log().length
  let olderWaits: string | null = null
  if (news.includes('a newer form of entries')) {
    await comes(() => OLDER_WAITS.test(log()))
    olderWaits = OLDER_WAITS.exec(log())?.[0] ?? null
  } else await stage.ready()
  old.signal('SIGTERM')
  await comes(() => !old.isUp())
  old.start(newer)
  await stage.ready()
  move('near')
  await comes(isTold)
  talk.ends()
  await comes(() => talk.unanswered() === 0)
  await stage.ready()

  const { lost, unmarked, false: wrong } = judge(owed, platforms.arrivals.slice(firstArrival))
  return {
    ...{ owed: owed.length, lost, unmarked, false: wrong, olderWaits },
    ...{ said: talk.said(), unanswered: talk.unanswered(), silentMs: talk.silentMs() },
    unequal: await unequal(machines[0].file, machines[1].file),
    ends: machines.flatMap(({ ends }) => ends.map(({ how }) => how)),
  }
}
