import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { z } from 'zod'

import { errorText } from '../../../lib/text/error-text.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Emit } from '../../../runtime/event.ts'
import type { Limits } from '../place.ts'
import type { Checkpoints } from '../postgres/checkpoints.ts'
import { LinkDown } from '../postgres/link.ts'
import { newCheckpointId } from './write.ts'

/** Sees to it that a journal does not grow for ever. */
export interface Checkpointer {
  /** A standby has applied the entries up to `seq`. */
  follows(at: { seq: number; behindSeconds: number }): void
  /** This process leads: it only says when the journal has grown for want of a standby. */
  leads(): void
  /** Ends a checkpoint that is being written. Others may write it. */
  stop(): void
}

const MAX_LOOK_MS = 10_000
/** So many statements count the entries of one look. */
const MAX_COUNTS = 50
/** How soon a checkpoint is tried again that could not be written. */
const AGAIN_MS = 300_000
/** A copy of a very large file takes minutes. Until its first piece, nobody else writes one for so long. */
const CLAIM_MS = 600_000
/** Longer than this and it hangs. */
const LIMIT_MS = 3_600_000
const COMMAND = fileURLToPath(new URL('run.ts', import.meta.url))

/** Two checkpoints are kept with the entries between them: each of both halves may grow so much. */
function isDue(grown: { ageMs: number; bytes: number }, { everyMs, maxBytes }: Limits): boolean {
  return grown.ageMs >= everyMs || grown.bytes >= maxBytes / 2
}

export function createCheckpointer(world: {
  url: string
  checkpoints: Checkpoints
  limits: Limits
  clock: Clock
  emit: Emit
  make?: typeof makeBeside
}): Checkpointer {
  const { url, checkpoints, limits, clock, emit, make = makeBeside } = world
  const lookMs = Math.min(MAX_LOOK_MS, limits.everyMs / 4)
  const stopping = new AbortController()
  let nextMono = -Infinity
  let isBusy = false
  let counted = { since: 0, upTo: 0, bytes: 0 }
  /** The size that the operator was last warned of, since which checkpoint. */
  let warned = { since: 0, bytes: 0 }

  /** Counts new entries alone. */
  async function grown(): Promise<{ since: number; ageMs: number; bytes: number }> {
    const { since, ageSeconds } = await checkpoints.grown()
    if (since !== counted.since) counted = { since, upTo: since, bytes: 0 }
    // A database that is too slow to count them still gets a checkpoint each hour.
    await count().catch(unlessDown)
    return { since, ageMs: (ageSeconds ?? 0) * 1_000, bytes: counted.bytes }
  }

  async function count(): Promise<void> {
    // New entries may come faster than they are counted: the next look goes on.
    for (let asked = 0; asked < MAX_COUNTS; asked++) {
      const { bytes, counted: upTo } = await checkpoints.bytesAfter(counted.upTo)
      if (upTo === counted.upTo) return
      counted = { ...counted, upTo, bytes: counted.bytes + bytes }
    }
  }

  async function write(): Promise<void> {
    const id = newCheckpointId()
    if (!(await checkpoints.claim(id, CLAIM_MS))) return
    try {
      const { seq, bytes } = await make(url, id, stopping.signal)
      emit({ is: 'remark', where: 'journal', text: `checkpoint of entry ${seq}: ${megabytes(bytes)} MB` })
    } finally {
      await checkpoints.letGo(id).catch(() => {})
    }
  }

  function look(failed: string, work: () => Promise<void>): void {
    if (isBusy || clock.monotonic() < nextMono) return
    isBusy = true
    nextMono = clock.monotonic() + lookMs
    work()
      .catch((error: unknown) => {
        if (error instanceof LinkDown) return
        nextMono = clock.monotonic() + AGAIN_MS
        const why = `${failed}: ${errorText(error)}`
        emit({ is: 'trouble', where: 'journal', why, error })
      })
      .finally(() => (isBusy = false))
  }

  function unlessStopped(error: unknown): void {
    if (!stopping.signal.aborted) throw error
  }

  return {
    follows: ({ seq, behindSeconds }) =>
      look('no checkpoint could be written', async () => {
        if (stopping.signal.aborted) return
        const now = await grown()
        // A standby far behind would soon have to write the next one.
        const isUseful = seq > now.since && behindSeconds * 1_000 < limits.everyMs / 4
        if (isUseful && isDue(now, limits)) await write().catch(unlessStopped)
      }),
    leads: () =>
      look('nobody knows how the journal grows', async () => {
        const { since, bytes } = await grown()
        if (since !== warned.since) warned = { since, bytes: 0 }
        if (bytes < Math.max(limits.maxBytes, warned.bytes * 2)) return
        warned = { since, bytes }
        const why = `the journal has grown by ${megabytes(bytes)} MB since its last checkpoint: only a standby writes one, so start a second Perch on this DATABASE_URL`
        emit({ is: 'caution', where: 'journal', why })
      }),
    stop: () => stopping.abort(new Error('stopping')),
  }
}

function unlessDown(error: unknown): void {
  if (!(error instanceof LinkDown)) throw error
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

const said = z.object({ seq: z.number(), bytes: z.number() })

/** Neither its duration nor its failure affects the standby. */
function makeBeside(url: string, id: string, signal: AbortSignal): Promise<z.infer<typeof said>> {
  const env = { ...process.env, DATABASE_URL: url, CHECKPOINT_ID: id }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [COMMAND], { env, signal, timeout: LIMIT_MS }, (error, text, complaint) => {
      const made = said.safeParse(error === null ? jsonOf(text) : null)
      if (made.success) resolve(made.data)
      else reject(new Error(complaint.trim() || (error?.message ?? 'it said nothing')))
    })
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
