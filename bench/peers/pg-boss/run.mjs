// pg-boss: what is set, and why (from the library's pages on workers, jobs and the constructor).
//
// single  send, one job a call, 64 producers over 16 connections. The ordinary worker, work(), with localConcurrency
//         16 and batchSize 1. By default a worker sleeps two seconds after each job, so the two ways around that were
//         tried: burstWhenReadyExceeds (fetch again at once while the queue is known to hold jobs) and LISTEN/NOTIFY
//         (useListenNotify and notify: true). The burst was faster: PostgreSQL commits transactions with a NOTIFY
//         one after the other, and each NOTIFY wakes all 16 workers. The burst reads a cached count of jobs, so
//         polling and the refresh of the count are as short as the library allows (0.5 s and 1 s). It needs about two
//         seconds to begin: do not set --warmup below 3.
// batch   insert of 500 jobs, 4 producers; 4 loops of fetch with batchSize 500 and complete(ids). 8 loops were not
//         clearly faster in short tries, 2 were slower. Producers at most 4,000 jobs ahead: enough for full fetches,
//         and faster in short tries than 10,000, because each fetch sorts the jobs that wait.
// both    No cron (schedule: false), no supervision where nothing depends on it. priority: false and
//         orderByCreatedOn: false, once faster, are ignored by this version.

import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { setTimeout as sleep } from 'node:timers/promises'
import { benchmark, BATCH_SIZE, PRODUCER_CONNECTIONS } from '../measure.mjs'

const QUEUE = 'nothing'
const SINGLE_CONCURRENCY = 16
const SHORTEST_POLL_SECONDS = 0.5
const SHORTEST_REFRESH_SECONDS = 1
const BATCH_FETCHERS = 4
const EMPTY_WAIT_MS = 5

await benchmark({
  peer: 'pg-boss',
  from: import.meta.url,

  producers: {
    single: { parallel: 64, jobsPerCall: 1, maxAhead: 2_000 },
    batch: { parallel: 4, jobsPerCall: BATCH_SIZE, maxAhead: 4_000 }
  },

  settings: {
    single: `64 producers, send; work() with localConcurrency ${SINGLE_CONCURRENCY}, batchSize 1, ` +
      `pollingIntervalSeconds ${SHORTEST_POLL_SECONDS}, burstWhenReadyExceeds 1`,
    batch: `4 producers, insert of ${BATCH_SIZE}; ${BATCH_FETCHERS} loops of fetch with batchSize ${BATCH_SIZE} ` +
      'and complete'
  },

  async install(url) {
    const boss = await start(url, 1)
    await boss.createQueue(QUEUE)
    await boss.stop()
  },

  async openProducer(url, payload) {
    const boss = await start(url, PRODUCER_CONNECTIONS)
    return {
      create: (count) => count === 1
        ? boss.send(QUEUE, payload)
        : boss.insert(QUEUE, Array.from({ length: count }, () => ({ data: payload }))),
      close: () => boss.stop()
    }
  },

  openWorker: (url, mode, onCompleted, onError) =>
    mode === 'single' ? ordinaryWorker(url, onCompleted, onError) : batchFetchers(url, onCompleted, onError),

  async unfinished(url) {
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    const { rows } = await pool.query("select count(*)::int as jobs from pgboss.job where state <> 'completed'")
    await pool.end()
    return rows[0].jobs
  }
})

async function ordinaryWorker(url, onCompleted, onError) {
  const boss = await start(url, SINGLE_CONCURRENCY + 2, onError, {
    supervise: true,
    superviseIntervalSeconds: SHORTEST_REFRESH_SECONDS,
    monitorIntervalSeconds: SHORTEST_REFRESH_SECONDS,
    queueCacheIntervalSeconds: SHORTEST_REFRESH_SECONDS
  })
  const options = {
    localConcurrency: SINGLE_CONCURRENCY,
    batchSize: 1,
    pollingIntervalSeconds: SHORTEST_POLL_SECONDS,
    burstWhenReadyExceeds: 1
  }
  // The library completes a job right after its handler and tells nobody, so the handler counts: at most one job for
  // each of the 16 workers too early, at both ends of the window.
  await boss.work(QUEUE, options, async () => { onCompleted(1) })
  return { stop: () => boss.stop({ graceful: true }) }
}

async function batchFetchers(url, onCompleted, onError) {
  const boss = await start(url, BATCH_FETCHERS, onError)
  let stopping = false
  const fetchAndComplete = async () => {
    while (!stopping) {
      const jobs = await boss.fetch(QUEUE, { batchSize: BATCH_SIZE })
      if (jobs.length === 0) {
        await sleep(EMPTY_WAIT_MS)
        continue
      }
      const { affected } = await boss.complete(QUEUE, jobs.map((job) => job.id))
      onCompleted(affected)
    }
  }
  const ended = Promise.all(Array.from({ length: BATCH_FETCHERS }, fetchAndComplete)).catch(onError)
  return {
    async stop() {
      stopping = true
      await ended
      await boss.stop()
    }
  }
}

async function start(url, max, onError = (error) => { throw error }, options = {}) {
  const boss = new PgBoss({ connectionString: url, max, supervise: false, schedule: false, ...options })
  boss.on('error', onError)
  await boss.start()
  return boss
}
