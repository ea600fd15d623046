import { z } from 'zod'
import {
  confirmedProcedure,
  openProcedure,
  router,
  sessionProcedure,
} from '#server/platform/trpc.ts'
import {
  approveDeviceSchema,
  deviceCodeSchema,
  deviceTokenSchema,
  requestDeviceCodeSchema,
  requestedDeviceCodeSchema,
  userCodeSchema,
  waitingDeviceSchema,
} from '#shared/schemas/device-code.schemas.ts'
import {
  approveDevice,
  claimDeviceToken,
  findWaitingDevice,
  refuseDevice,
  requestDeviceCode,
} from './device-code.service.ts'

export const deviceCodeRouter = router({
  request: openProcedure
    .input(requestDeviceCodeSchema)
    .output(requestedDeviceCodeSchema)
    .mutation(({ ctx, input }) => requestDeviceCode(ctx, input)),

  claim: openProcedure
    .input(deviceCodeSchema)
    .output(deviceTokenSchema)
    .mutation(({ ctx, input }) => claimDeviceToken(ctx, input)),

  /** This is a mutation, because codes must not appear in addresses. */
  find: sessionProcedure
    .input(userCodeSchema)
    .output(waitingDeviceSchema)
    .mutation(({ ctx, input }) => findWaitingDevice(ctx, { ...input, viewer: ctx.viewer })),

  approve: confirmedProcedure
    .input(approveDeviceSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => approveDevice(ctx, { ...input, viewer: ctx.viewer })),

  refuse: sessionProcedure
    .input(userCodeSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => refuseDevice(ctx, { ...input, viewer: ctx.viewer })),
})
