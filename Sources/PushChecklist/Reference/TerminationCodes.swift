import PushModel

/// Why iOS ended a process, as crash reports, jetsam reports and system logs write it.
let terminationRows: [ReferenceEntry] = [
  ReferenceEntry(
    "0x8badf00d", aliases: ["8badf00d", "2343432205"],
    form: "Termination code, namespace SPRINGBOARD, FRONTBOARD or RUNNINGBOARD.",
    "The watchdog: launch or another duty took too long.",
    decided: """
      In an extension it is start-up that ate the time; a plain time-out of a service extension \
      leaves no crash report.
      """,
    repair: "Move work out of `init` and off the main thread.",
    steps: [.extensionLoads, .handlerTiming], causes: [.extStartupBudget],
    facts: ["§termination", "F4.21", "F4.22"]),
  ReferenceEntry(
    "0xdead10cc", aliases: ["dead10cc", "3735883980"], form: "Termination code.",
    "The process held a file or database lock when it was suspended.",
    decided: "Read as an explanation: typical for SQLite in an App Group's folder.",
    repair: "Close the database before the handler is called; keep locks short.",
    steps: [.extensionMemory, .sharedStorage], facts: ["§termination", "F4.28"]),
  ReferenceEntry(
    "0xc00010ff", aliases: ["c00010ff", "3221229823"], form: "Termination code.",
    "The phone was too hot.", decided: "Not judged.",
    repair: "Nothing in the app, if it is rare; else less work.", facts: ["§termination"]),
  ReferenceEntry(
    "0xbaadca11", aliases: ["baadca11", "3131951633"], form: "Termination code.",
    "The app got a VoIP push and reported no call.",
    decided: "Together with the record of the push and the absence of a call.",
    repair: "Report a call to CallKit for every VoIP push, at once.",
    steps: [.callReported], causes: [.voipNotReported], facts: ["§termination", "§1.3"]),
  ReferenceEntry(
    "EXC_RESOURCE", aliases: ["exceeded mem limit", "EXC_RESOURCE RESOURCE_TYPE_MEMORY"],
    form: "Crash report, or a kernel line with the limit in MB.",
    "The process used more memory than its kind may have.",
    decided: "The limit is taken from the line; the size of the file alone proves nothing.",
    repair: "Load into a file, scale down while reading, decode less.",
    steps: [.extensionMemory, .itemsLoaded], causes: [.extMemory],
    facts: ["F4.26", "F4.27", "F12.8"]),
  ReferenceEntry(
    "per-process-limit", aliases: ["jetsam", "JetsamEvent"],
    form: "`reason` of a process in a jetsam report.",
    "The process itself went over its limit of memory.",
    decided: "The only reason of a jetsam report that is the process's own fault.",
    repair: "Load into a file, scale down while reading, decode less.",
    steps: [.extensionMemory, .itemsLoaded], causes: [.extMemory],
    facts: ["F4.26", "F4.27", "§jetsam"]),
  jetsamReason("vm-pageshortage", "The phone was short of memory and ended what was behind."),
  jetsamReason("highwater", "A process of the system went over its soft limit."),
  jetsamReason("fc-thrashing", "The file cache was in trouble; processes behind were ended."),
  jetsamReason("vnode-limit", "Too many files were open on the phone."),
  jetsamReason("idle-exit", "The process was idle and was ended to save memory."),
  jetsamReason("jettisoned", "Ended for another reason of the system."),
  ReferenceEntry(
    "EXC_CRASH", aliases: ["SIGKILL", "SIGABRT"], form: "Exception type of a crash report.",
    "With SIGABRT the process ended itself; with SIGKILL iOS did, and the termination code says why.",
    decided: "A crash of the extension after its start explains a plain result, not its reason.",
    repair: "Read the termination code, or the thread that crashed.",
    steps: [.extensionLoads, .extensionMemory], causes: [.extCrashAtLaunch],
    facts: ["§termination", "F4.23"]),
  ReferenceEntry(
    "EXC_BREAKPOINT", aliases: ["SIGTRAP"], form: "Exception type of a crash report.",
    "Swift found a broken promise: nil unwrapped, an index out of range, a failed cast.",
    decided: "As any crash of the extension.", repair: "Read the thread that crashed.",
    steps: [.extensionLoads, .didReceive], causes: [.extCrashAtLaunch],
    facts: ["§termination", "F4.23"]),
  ReferenceEntry(
    "EXC_BAD_ACCESS", aliases: ["SIGSEGV", "SIGBUS"], form: "Exception type of a crash report.",
    "Memory was used that is not the process's.",
    decided: "As any crash of the extension.", repair: "Read the thread that crashed.",
    steps: [.extensionLoads, .didReceive], causes: [.extCrashAtLaunch],
    facts: ["§termination", "F4.23"]),
  ReferenceEntry(
    "Library not loaded", aliases: ["DYLD", "dyld"], form: "Line of the loader, or namespace DYLD.",
    "A library that the process links is not in the app.",
    decided: "From the extension's process it names its cause at once.",
    repair: "Embed it in the app; run path `@executable_path/../../Frameworks`.",
    steps: [.extensionLoads], causes: [.extFrameworkMissing], facts: ["F4.23"]),
]

private func jetsamReason(_ id: String, _ meaning: String) -> ReferenceEntry {
  ReferenceEntry(
    id, form: "`reason` of a process in a jetsam report.", meaning,
    decided: "Pressure from elsewhere: it does not accuse the extension.",
    repair: "Nothing, if it is rare.", steps: [.extensionMemory], facts: ["§jetsam"])
}
