// graphile-worker: what is set, and why (from the library's page "Performance" and its own performance test).
//
// single  addJob, one job a call, 64 producers over 16 connections. The worker as it is by default, that is without
//         batching, concurrency 16; its pool has one connection more than that, as in the library's performance
//         test, for LISTEN.
// batch   addJobs of 500, 4 producers. The configuration of the library's performance test: concurrency 24, pool
//         25, localQueue.size 500, completeJobBatchDelay 0, failJobBatchDelay 0. Short tries with a delay of 20 ms, a
//         refetchDelay of 10 ms and a concurrency of 100 were not faster. Producers at most 4,000 jobs ahead: enough
//         for full fetches, and faster in short tries than 10,000, because the library likes a small table.
// both    Prepared statements (the default), NO_LOG_SUCCESS as in its performance test, jobs without a named queue
//         (the fastest kind).
//
// addJob and addJobs always send a NOTIFY. PostgreSQL commits transactions with a NOTIFY one after the other, so
// creating single jobs cannot share a flush of the log; the library has no switch for that.

import pg from 'pg'
import { benchmark, BATCH_SIZE, PRODUCER_CONNECTIONS } from '../measure.mjs'

// The library's own performance test sets this: no log line for each success.
process.env.NO_LOG_SUCCESS = '1'
const { Logger, makeWorkerUtils, run, runMigrations } = await import('graphile-worker')

const TASK = 'nothing'
const SINGLE_CONCURRENCY = 16
const BATCH_CONCURRENCY = 24
const COMPLETE_DELAY_MS = 0

const logger = new Logger(() => (level, message) => {
  if (level === 'error' || level === 'warning') console.error(`graphile-worker ${level}: ${message}`)
})

await benchmark({
  peer: 'graphile-worker',
  from: import.meta.url,

  producers: {
    single: { parallel: 64, jobsPerCall: 1, maxAhead: 2_000 },
    batch: { parallel: 4, jobsPerCall: BATCH_SIZE, maxAhead: 4_000 }
  },

  settings: {
    single: `64 producers, addJob; concurrency ${SINGLE_CONCURRENCY}, no local queue, no completion batching`,
    batch: `4 producers, addJobs of ${BATCH_SIZE}; concurrency ${BATCH_CONCURRENCY}, localQueue.size ${BATCH_SIZE}, ` +
      `completeJobBatchDelay ${COMPLETE_DELAY_MS}, failJobBatchDelay ${COMPLETE_DELAY_MS}`
  },

  async install(url) {
    await runMigrations({ connectionString: url, logger })
  },

  async openProducer(url, payload) {
    const pool = newPool(url, PRODUCER_CONNECTIONS)
    const utils = await makeWorkerUtils({ pgPool: pool, logger })
    return {
      create: (count) => count === 1
        ? utils.addJob(TASK, payload)
        : utils.addJobs(Array.from({ length: count }, () => ({ identifier: TASK, payload }))),
      async close() {
        await utils.release()
        await pool.end()
      }
    }
  },

  async openWorker(url, mode, onCompleted, onError) {
    const concurrentJobs = mode === 'single' ? SINGLE_CONCURRENCY : BATCH_CONCURRENCY
    const pool = newPool(url, concurrentJobs + 1)
    countDeletedJobs(pool, onCompleted)
    const batching = {
      localQueue: { size: BATCH_SIZE },
      completeJobBatchDelay: COMPLETE_DELAY_MS,
      failJobBatchDelay: COMPLETE_DELAY_MS
    }
    const runner = await run({
      pgPool: pool,
      noHandleSignals: true,
      logger,
      taskList: { [TASK]: () => {} },
      preset: { worker: { concurrentJobs, ...(mode === 'batch' ? batching : {}) } }
    })
    runner.events.on('job:error', ({ error }) => onError(error))
    runner.promise.catch(onError)
    return {
      async stop() {
        await runner.stop()
        await pool.end()
      }
    }
  },

  async unfinished(url) {
    const pool = newPool(url, 1)
    const { rows } = await pool.query('select count(*)::int as jobs from graphile_worker._private_jobs')
    await pool.end()
    return rows[0].jobs
  }
})

function newPool(url, max) {
  const pool = new pg.Pool({ connectionString: url, max })
  const say = (error) => console.error(`graphile-worker: a connection failed: ${error.message}`)
  pool.on('error', say)
  pool.on('connect', (client) => client.on('error', say))
  return pool
}

// Completing a job deletes its row. The library's events (job:success, job:complete) come before the delete is
// committed, so what counts here is the delete that PostgreSQL has answered.
function countDeletedJobs(pool, onCompleted) {
  pool.on('connect', (client) => {
    const query = client.query.bind(client)
    client.query = (...args) => {
      const answer = query(...args)
      answer?.then?.((result) => { if (result.command === 'DELETE') onCompleted(result.rowCount) }, () => {})
      return answer
    }
  })
}
