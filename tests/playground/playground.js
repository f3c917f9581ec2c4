"use strict";

// Fills the form of the page, and runs the program `playground` for each conversion: the object is its standard input.
(() => {
    const form = document.getElementById("conversion");
    const { object, to, converted, back, state } = form.elements;
    const ready = load();
    let from = "";

    async function load() {
        // Relative, because a book can be in any folder of a site. As a buffer, because not every server knows the
        // content type that streaming needs. The cache is asked each time, because the name stays when the book is new.
        const response = await fetch("playground.wasm", { cache: "no-cache" });
        if (!response.ok) {
            throw new Error(`can't load playground.wasm: ${response.status} ${response.statusText}`);
        }
        return WebAssembly.compile(await response.arrayBuffer());
    }

    /** Runs the program once, and returns what it has printed. Fails with its error. */
    function run(module, version, input) {
        const encoder = new TextEncoder();
        const args = ["playground\0", `${version}\0`].map(text => encoder.encode(text));
        let stdin = encoder.encode(input);
        const printed = { 1: "", 2: "" };
        const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
        const exit = new Error("exit");
        const bytes = (start, length) => new Uint8Array(instance.exports.memory.buffer, start, length);
        const memory = () => new DataView(instance.exports.memory.buffer);
        const store = (...pairs) => {
            pairs.forEach(([at, number]) => memory().setUint32(at, number, true));
            return 0;
        };
        // Calls a function with each buffer in a list, and stores the sum of what it returns.
        const buffers = (list, count, total, each) => {
            let sum = 0;
            for (let at = list; at < list + 8 * count; at += 8) {
                sum += each(bytes(memory().getUint32(at, true), memory().getUint32(at + 4, true)));
            }
            return store([total, sum]);
        };
        // The functions of WASI that the program imports.
        const wasi = {
            args_sizes_get: (count, size) => store([count, 2], [size, args[0].length + args[1].length]),
            args_get: (list, start) => {
                const second = start + args[0].length;
                bytes(start, args[0].length).set(args[0]);
                bytes(second, args[1].length).set(args[1]);
                return store([list, start], [list + 4, second]);
            },
            environ_sizes_get: (count, size) => store([count, 0], [size, 0]),
            environ_get: () => 0,
            fd_read: (_, list, count, total) => buffers(list, count, total, buffer => {
                const part = stdin.subarray(0, buffer.length);
                buffer.set(part);
                stdin = stdin.subarray(part.length);
                return part.length;
            }),
            fd_write: (fd, list, count, total) => buffers(list, count, total, buffer => {
                printed[fd] += decoders[fd].decode(buffer, { stream: true });
                return buffer.length;
            }),
            random_get: (start, length) => {
                crypto.getRandomValues(bytes(start, length));
                return 0;
            },
            proc_exit: () => {
                throw exit;
            },
        };
        const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi });
        try {
            instance.exports._start();
        } catch (error) {
            if (error !== exit) {
                throw new Error(printed[2] || `the program failed: ${error.message}`);
            }
        }
        if (!printed[1]) {
            throw new Error(printed[2]);
        }
        return JSON.parse(printed[1]);
    }

    function say(text, isError) {
        state.textContent = text.trim();
        state.classList.toggle("error", isError);
    }

    /** Shows the object in the other version and the way back, or an error. */
    async function convert() {
        try {
            const result = run(await ready, to.value, object.value);
            from = result.from.split("/").pop();
            document.getElementById("way-back").textContent = `Converted back to ${from}`;
            converted.value = result.converted;
            back.value = result.back;
            const entries = [...result.converted.matchAll(/^ +conversion\.example\.com\/(\S+):/gm)];
            const kept = entries.map(([, name]) => name).join(", ") || "none";
            const same = result.unchanged ? "is the same as yours" : "differs from yours";
            say(`Values kept in annotations: ${kept}.\nThe object that is converted back ${same}.`, false);
        } catch (error) {
            converted.value = back.value = "";
            say(error.message, true);
        }
    }

    /** Shows what becomes of an edit in the other version. */
    async function convertBack() {
        try {
            back.value = run(await ready, from, converted.value).converted;
            say("The object that is converted back has your edit.", false);
        } catch (error) {
            back.value = "";
            say(error.message, true);
        }
    }

    /** Takes the object and the version from the address, if it has them, and converts. */
    function start() {
        const parameters = new URLSearchParams(location.hash.slice(1));
        object.value = parameters.get("object") ?? object.value;
        to.value = parameters.get("to") ?? to.value;
        convert();
    }

    form.addEventListener("input", ({ target }) => {
        if (target === converted) {
            convertBack();
            return;
        }
        history.replaceState(null, "", `#${new URLSearchParams({ to: to.value, object: object.value })}`);
        convert();
    });
    form.addEventListener("submit", event => event.preventDefault());
    // The book turns the page at an arrow key.
    form.addEventListener("keydown", event => event.stopPropagation());
    // Not for the headings of the page.
    window.addEventListener("hashchange", () => location.hash.includes("object=") && start());
    start();
})();
