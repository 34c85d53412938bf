import type { Report, ReportSink } from './report.ts';

/** Writes a finished report: called once, after the last score; changes nothing of it. */
export interface Reporter {
  write(report: Report, sink: ReportSink): Promise<void>;
}
