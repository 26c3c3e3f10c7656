import { parentPort, workerData } from 'node:worker_threads'

import { differences } from '../support/postgres/tables.ts'

/** So often it looks again if the leader has written between the two reads. */
const LOOKS = 40
const PAUSE_MS = 50

function settled(fileA: string, fileB: string): string[] {
  for (let looks = 1; ; looks++) {
    const found = differences(fileA, fileB)
    const isOfTwoMoments = found.some((one) => one.startsWith('meta: only') && one.includes('"journal"'))
    if (!isOfTwoMoments || looks === LOOKS) return found
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
}

const [fileA, fileB] = workerData as [string, string]
parentPort?.postMessage(settled(fileA, fileB), [])
