// A provider of things in memory on the provider server of Pulumi's Node SDK, with the mistake
// that BUG names.
const { isDeepStrictEqual } = require("node:util");
const provider = require("@pulumi/pulumi/provider");

const bug = process.env.BUG || "";
const things = new Map();
let serial = 0;

const inputs = {
    name: { type: "string", willReplaceOnChanges: true },
    size: { type: "integer" },
    tags: { type: "object", additionalProperties: { type: "string" } },
};
const schema = {
    name: "foo",
    version: "0.1.0",
    resources: {
        "foo:index:Thing": {
            inputProperties: inputs,
            requiredInputs: ["name"],
            properties: { ...inputs, path: { type: "string" } },
            required: ["name", "path"],
        },
    },
};

const state = (id, thing) => ({ ...thing, path: "/" + id });

class Foo {
    version = "0.1.0";
    schema = JSON.stringify(schema);

    async check(urn, olds, news) {
        if (bug === "crash" && news.tags && Object.keys(news.tags).length > 1) process.exit(3);
        return { inputs: news };
    }
    async diff(id, urn, olds, news) {
        const same = (name) => (bug === "identity" ? olds[name] === news[name] : isDeepStrictEqual(olds[name], news[name]));
        const replaces = same("name") ? [] : ["name"];
        const changes = replaces.length > 0 || !same("tags") || (bug !== "size" && !same("size"));
        return { changes, replaces };
    }
    async create(urn, thing) {
        const id = "t" + ++serial;
        things.set(id, thing);
        return { id, outs: state(id, thing) };
    }
    async update(id, urn, olds, thing) {
        if (bug !== "update") things.set(id, thing);
        return { outs: state(id, thing) };
    }
    async read(id) {
        const thing = things.get(id);
        return thing ? { id, props: state(id, thing), inputs: thing } : {};
    }
    async delete(id) {
        if (!things.delete(id) && bug === "delete") throw new Error("404 not found");
    }
}

provider.main(new Foo(), process.argv.slice(2)).catch((e) => {
    console.error(e);
    process.exit(1);
});
