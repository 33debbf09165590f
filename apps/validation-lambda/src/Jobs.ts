/**
 * What takes long and continues in further invocations. It is imported when it is needed, and as one: each entry of its
 * own would divide the modules that all share into more files, and each file makes a start longer.
 */
export { requested as validateFile } from "./file/FileValidation.ts"
export { requested as audit, scheduled as auditScheduled } from "./audit/ScheduledAudit.ts"
